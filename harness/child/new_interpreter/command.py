"""Write the command that starts a new interpreter for one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.contract import own_names

if TYPE_CHECKING:
    from pathlib import Path


def command(request: Path, answer: Path, *folder: Path) -> list[str]:
    """Return the command line.

    Args:
        request: The file with the request.
        answer: The file into which the answer is written.
        folder: The working folder after the user's module is imported; by default the folder of this process.
    """
    start = "from harness.child import new_interpreter_main as it; it.main()"
    return own_names.command(start, *map(str, (request, answer, *folder)))
