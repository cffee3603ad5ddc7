"""The program compute-sanitizer: where it is, and how it is called."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from harness.contract.sanitizer_tool import Tool

NAME: Final = "compute-sanitizer"
_HOMES: Final = ("CUDA_HOME", "CUDA_PATH")
_USUAL_HOME: Final = "/usr/local/cuda"
#: Bytes that memcheck keeps free behind each allocation: what lies behind one is then no other one.
_PADDING: Final = 65536
_OF_A_TOOL: Final = {
    Tool.MEMCHECK: ("--padding", str(_PADDING), "--report-api-errors", "no"),
}


def found() -> str | None:
    """Return the program's path: from PATH, or from where CUDA is; None where it is not installed."""
    homes = [os.environ[name] for name in _HOMES if os.environ.get(name)]
    places = (shutil.which(NAME), *(shutil.which(NAME, path=str(Path(home, "bin"))) for home in (*homes, _USUAL_HOME)))
    return next(filter(None, places), None)


def arguments(tool: Tool, report: Path, log: Path) -> list[str]:
    """Return the program's arguments before the command that it watches.

    A kernel that does wrong is ended, and the process goes on. So one run reports on all shapes. The stack of the
    host says which line of Python launched a kernel.
    """
    files = ("--xml", "--save", str(report), "--log-file", str(log))
    manner = ("--destroy-on-device-error", "kernel", "--show-backtrace", "host")
    process = ("--target-processes", "application-only")
    return ["--tool", tool.value, *files, *manner, *process, *_OF_A_TOOL.get(tool, ())]
