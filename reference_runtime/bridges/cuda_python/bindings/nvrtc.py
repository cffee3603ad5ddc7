"""``cuda.bindings.nvrtc``: programs are not compiled, and keep their source."""

from __future__ import annotations

from typing import Any

from reference_runtime.bridges.cuda_python.answers import answering, missing, nvrtcResult
from reference_runtime.bridges.cuda_python.handles import write_to
from reference_runtime.bridges.cuda_python.images import image_of

__all__ = ["nvrtcProgram", "nvrtcResult"]


class nvrtcProgram:
    """A program: its source."""

    def __init__(self, source: bytes = b"") -> None:
        self.source = source


@answering(nvrtcResult, 2)
def nvrtcVersion() -> tuple[int, int]:
    """Return the emulated version."""
    return 13, 0


@answering(nvrtcResult, 1)
def nvrtcGetErrorString(result: Any) -> bytes:
    """Return the name of a status."""
    return nvrtcResult(result).name.encode()


@answering(nvrtcResult, 1)
def nvrtcCreateProgram(src: bytes, name: Any, numHeaders: int, headers: Any, includeNames: Any) -> nvrtcProgram:
    """Return a program with its source."""
    return nvrtcProgram(bytes(src))


@answering(nvrtcResult)
def nvrtcDestroyProgram(prog: nvrtcProgram) -> None:
    """Forget a program."""


@answering(nvrtcResult)
def nvrtcCompileProgram(prog: nvrtcProgram, numOptions: int, options: Any) -> None:
    """Do nothing: a launch of a kernel runs a stand-in."""


@answering(nvrtcResult, 1)
def nvrtcGetProgramLogSize(prog: nvrtcProgram) -> int:
    """Return the size of the log, which is empty."""
    return 1


@answering(nvrtcResult)
def nvrtcGetProgramLog(prog: nvrtcProgram, log: Any) -> None:
    """Leave the log empty."""


@answering(nvrtcResult, 1)
def nvrtcGetPTXSize(prog: nvrtcProgram) -> int:
    """Return the size of the image, which has the program's source in place of code."""
    return len(image_of(prog.source))


@answering(nvrtcResult)
def nvrtcGetPTX(prog: nvrtcProgram, ptx: Any) -> None:
    """Write the image, which has the program's source in place of code."""
    write_to(ptx, image_of(prog.source))


nvrtcGetCUBINSize, nvrtcGetCUBIN = nvrtcGetPTXSize, nvrtcGetPTX


@answering(nvrtcResult)
def nvrtcAddNameExpression(prog: nvrtcProgram, name_expression: bytes) -> None:
    """Do nothing: an instance of a template keeps its name."""


@answering(nvrtcResult, 1)
def nvrtcGetLoweredName(prog: nvrtcProgram, name_expression: bytes) -> bytes:
    """Return the name of an instance of a template, unchanged."""
    return name_expression


def __getattr__(name: str) -> Any:
    return missing("cuda.bindings.nvrtc", name)
