"""Write the command that starts a new interpreter for one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.contract import own_names

if TYPE_CHECKING:
    from pathlib import Path


def command(asked: Path, answer: Path, *folder: Path) -> list[str]:
    """Return the command line.

    Args:
        asked: The file with the request.
        answer: The file to write.
        folder: The working folder after the user's module is imported; by default the folder of this process.
    """
    start = "from harness.child import new_interpreter_main as it; it.main()"
    return own_names.command(start, *map(str, (asked, answer, *folder)))
