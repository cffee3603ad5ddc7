"""Run scripts as Python runs them, with their command line and with their folder in ``sys.path``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from harness.config.program import SCRIPT


class NoScriptError(Exception):
    """The script does not exist; the argument is its name."""


def script_module(file: Path) -> ModuleType:
    """Return a new, empty module for a script, which is ``__main__`` from now on.

    Raises:
        NoScriptError: The file does not exist.
    """
    if not file.is_file():
        raise NoScriptError(f"there is no file {file.absolute()}")
    module = ModuleType(SCRIPT)
    module.__file__ = str(file.absolute())
    sys.modules[SCRIPT] = module
    return module


def run_script(module: ModuleType) -> None:
    """Run the file of a module as a script; its exceptions pass through.

    The ``__future__`` imports of this module do not apply to the script.
    """
    file = Path(str(module.__file__))
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    exec(code, vars(module))  # noqa: S102 - the user's script


@contextlib.contextmanager
def command_line(file: str, arguments: Sequence[str]) -> Iterator[None]:
    """Set ``sys.argv`` to a file and its arguments while the block runs."""
    former_arguments, sys.argv = sys.argv, [file, *arguments]
    try:
        yield
    finally:
        sys.argv = former_arguments
