"""Triton's compiler, which needs the driver of a GPU even without a launch."""

from __future__ import annotations

from typing import Any

from reference_runtime.bridges.cupy.placeholders import needs_gpu

__all__ = ["adapt"]


def adapt(compiler: Any) -> None:
    """Let ``compile`` of ``triton.compiler.compiler``, just imported, raise `NeedsGpu`.

    Without a driver it fails in other words for each version of Triton. With a driver it fails too: on the host device
    ``triton.jit`` makes kernels for the interpreter.
    """
    compiler.compile = needs_gpu("triton.compile")
