"""Find the program compute-sanitizer, and write its arguments."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from harness.contract.sanitizer_tool import Tool

NAME: Final = "compute-sanitizer"
_HOMES: Final = ("CUDA_HOME", "CUDA_PATH")
_USUAL_HOME: Final = "/usr/local/cuda"
#: Free bytes that memcheck keeps behind each allocation, so that an access past its end hits no other allocation.
_PADDING: Final = 65536
#: Arguments for one tool only.
_MORE_ARGUMENTS: Final = {
    Tool.MEMCHECK: ("--padding", str(_PADDING), "--report-api-errors", "no"),
}


def program_path() -> str | None:
    """Return the program's path, from ``PATH`` or CUDA's folder; None if it is not installed."""
    homes = [os.environ[name] for name in _HOMES if os.environ.get(name)]
    places = (shutil.which(NAME), *(shutil.which(NAME, path=str(Path(home, "bin"))) for home in (*homes, _USUAL_HOME)))
    return next(filter(None, places), None)


def arguments(tool: Tool, report: Path, log: Path) -> list[str]:
    """Return the program's arguments before the command that it watches.

    The tool ends a kernel after its error, and the process goes on. So one run reports on all shapes. The host's stack
    shows which line of Python launched the kernel.
    """
    files = ("--xml", "--save", str(report), "--log-file", str(log))
    on_error = ("--destroy-on-device-error", "kernel", "--show-backtrace", "host")
    process = ("--target-processes", "application-only")
    return ["--tool", tool.value, *files, *on_error, *process, *_MORE_ARGUMENTS.get(tool, ())]
