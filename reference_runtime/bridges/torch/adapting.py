"""Patch torch after its import: enter the mode in each thread, and replace names of ``torch.cuda``."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.bridges.torch import streams
from reference_runtime.bridges.torch.redirecting import Redirection
from reference_runtime.bridges.torch.tensors import Tensors

__all__ = ["adapt"]

_CAPABILITY = (8, 0)


def adapt(torch: Any) -> None:
    """Make ``torch``, just imported, run calls for CUDA on the CPU."""
    tensors = Tensors(torch)
    redirection = Redirection(torch, tensors)
    mode = _mode_of(torch, redirection)
    mode().__enter__()
    _enter_in_each_thread(mode)
    over = torch.from_dlpack
    torch.from_dlpack = torch.utils.dlpack.from_dlpack = lambda obj, **others: (
        tensors.over(obj) if hasattr(obj, "__cuda_array_interface__") else over(obj, **others)
    )
    torch.cuda.tensors_of_the_host_device = tensors
    for name, offered in {**_NAMES, **_random_numbers(torch.default_generator)}.items():
        setattr(torch.cuda, name, offered)


def _random_numbers(generator: Any) -> dict[str, Any]:
    """Return the functions of ``torch.cuda.random`` for the CPU's generator, which draws all numbers here."""
    return {
        "get_rng_state": lambda _="cuda": generator.get_state(),
        "get_rng_state_all": lambda: [generator.get_state()],
        "initial_seed": generator.initial_seed,
        "manual_seed": generator.manual_seed,
        "manual_seed_all": generator.manual_seed,
        "seed": generator.seed,
        "seed_all": generator.seed,
        "set_rng_state": lambda state, _="cuda": generator.set_state(state),
        "set_rng_state_all": lambda states: generator.set_state(states[0]),
    }


def _mode_of(torch: Any, redirection: Redirection) -> Any:
    class OnTheHost(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        """Intercepts every call of torch in a thread."""

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return redirection.call(func, tuple(args), dict(kwargs or {}))

    return OnTheHost


def _enter_in_each_thread(mode: Any) -> None:
    """Enter the mode in new threads, too: a mode belongs to one thread, and plugins may run in several."""
    run = threading.Thread.run

    def run_in_mode(thread: threading.Thread) -> None:
        with mode():
            run(thread)

    setattr(threading.Thread, "run", run_in_mode)  # noqa: B010 - it replaces a method


_NAMES = {
    "Event": streams.Event,
    "ExternalStream": streams.ExternalStream,
    "Stream": streams.Stream,
    "StreamContext": streams.StreamContext,
    "current_device": lambda: 0,
    "current_stream": streams.current_stream,
    "default_stream": streams.default_stream,
    "device": contextlib.nullcontext,
    "device_count": lambda: 1,
    "empty_cache": lambda: None,
    "get_device_capability": lambda device=None: _CAPABILITY,
    "get_device_name": lambda device=None: "host device",
    "init": lambda: None,
    "is_available": lambda: True,
    "is_current_stream_capturing": lambda: False,
    "is_initialized": lambda: True,
    "set_device": lambda device: None,
    "set_stream": streams.set_stream,
    "stream": streams.StreamContext,
    "synchronize": lambda device=None: runtime.deviceSynchronize(),
}
