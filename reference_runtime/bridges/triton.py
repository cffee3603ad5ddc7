"""Triton's interpreter on the memory and the streams of the host device.

The interpreter runs a kernel program by program, in Python, on tensors of torch. A launch is work on torch's current
stream. It writes to memory as the kernel does. So the guard bands record a write beyond a tensor, as on a GPU.
"""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING, Any, Final, NoReturn

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.launches import launched
from reference_runtime.bridges.torch.streams import current_stream

if TYPE_CHECKING:
    from reference_runtime.bridges.torch.tensors import Tensors

__all__ = ["adapt"]

_ONE_AT_A_TIME: Final = threading.RLock()  # the interpreter has no more


def adapt(interpreter: Any) -> None:
    """Let ``triton.runtime.interpreter``, just imported, record the accesses of a launch."""
    run = interpreter.GridExecutor.__call__

    def run_and_record(executor: Any, *args: Any, **kwargs: Any) -> None:
        torch: Any = importlib.import_module("torch")
        tensors: Tensors = torch.cuda.tensors_of_the_host_device
        with torch._C.DisableTorchFunction():  # noqa: SLF001 - torch has no other name for it
            given = [tensors.memory(each) for each in tensors.among((args, kwargs))]
            memories = [each for each in given if each is not None]
            with _ONE_AT_A_TIME, launched(memories, current_stream().cuda_stream, "Triton's interpreter"):
                run(executor, *args, **kwargs)

    interpreter.GridExecutor.__call__ = run_and_record
    interpreter.InterpretedFunction.warmup = _refuse


def _refuse(*_: object, **__: object) -> NoReturn:
    raise NeedsGpu("the compilation of a kernel of Triton's")
