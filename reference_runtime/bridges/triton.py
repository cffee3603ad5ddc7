"""Record the kernels that Triton's interpreter runs as work on streams of the host device.

The interpreter runs a kernel program by program, in Python, on tensors of torch. A launch is work on torch's current
stream. The interpreter does not check bounds: a write beyond a tensor damages a guard band, as on a GPU.
"""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bridges.cupy.placeholders import needs_gpu
from reference_runtime.bridges.launches import launched
from reference_runtime.bridges.torch.streams import current_stream

if TYPE_CHECKING:
    from reference_runtime.bridges.torch.tensors import Tensors

__all__ = ["adapt"]

_ONE_AT_A_TIME: Final = threading.RLock()  # the interpreter runs one kernel at a time


def adapt(interpreter: Any) -> None:
    """Make ``triton.runtime.interpreter``, just imported, record the accesses of each launch."""
    run = interpreter.GridExecutor.__call__

    def run_and_record(executor: Any, *args: Any, **kwargs: Any) -> None:
        torch: Any = importlib.import_module("torch")
        tensors: Tensors = torch.cuda.tensors_of_the_host_device
        with torch._C.DisableTorchFunction():  # noqa: SLF001 - torch has no other name for it
            arguments = tensors.among((args, kwargs))
            memories = [memory for each in arguments if (memory := tensors.memory(each)) is not None]
            with _ONE_AT_A_TIME, launched(memories, current_stream().cuda_stream, "Triton's interpreter"):
                run(executor, *args, **kwargs)

    interpreter.GridExecutor.__call__ = run_and_record
    interpreter.InterpretedFunction.warmup = needs_gpu("the compilation of a kernel of Triton's")
