"""Kernels in CUDA C++: a launch of a ``RawKernel`` runs the case's stand-in, other kernels need a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy.cuda.memory import MemoryPointer
from reference_runtime.bridges.cupy.cuda.stream import get_current_stream
from reference_runtime.bridges.cupy.storage import Storage
from reference_runtime.bridges.launches import Memory
from reference_runtime.bridges.stand_ins import Kernel, Launch, launch

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ElementwiseKernel",
    "RawKernel",
    "RawModule",
    "ReductionKernel",
    "clear_memo",
    "fuse",
    "memoize",
]

_MEMOS: list[dict[Any, Any]] = []


class _Kernel:
    """A kernel that only a GPU can run."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self._kind = kind

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise `NeedsGpu`."""
        raise NeedsGpu(f"the {self._kind} {self.name!r}")

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise NeedsGpu(f"{self._kind}.{attribute} of {self.name!r}")


class RawKernel:
    """A kernel in CUDA C++; a launch runs the case's stand-in for it."""

    def __init__(self, code: str, name: str, options: Any = (), backend: str = "nvrtc", **others: Any) -> None:
        self.code, self.name, self.options, self.backend = code, name, options, backend
        self.max_dynamic_shared_size_bytes = 0
        self.preferred_shared_memory_carveout = -1
        self._kernel = Kernel(name, "RawKernel", code)

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, **others: Any) -> None:
        """Run the kernel's stand-in as work on the current stream."""
        how = Launch(self.name, _three(grid), _three(block), shared_mem)
        launch(self._kernel, how, [_argument(each) for each in args], get_current_stream().ptr)

    def compile(self, log_stream: Any = None) -> None:
        """Do nothing: there is no compiler."""

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        raise NeedsGpu(f"RawKernel.{attribute} of {self.name!r}")


class RawModule:
    """Several kernels in CUDA C++."""

    def __init__(self, code: str | None = None, **others: Any) -> None:
        self.code = code

    def get_function(self, name: str) -> RawKernel:
        """Return the kernel with a name."""
        return RawKernel(self.code or "", name)

    def get_global(self, name: str) -> Any:
        """Raise `NeedsGpu`: the host has no variables of a module."""
        raise NeedsGpu(f"RawModule.get_global({name!r})")

    def compile(self, log_stream: Any = None) -> None:
        """Do nothing: there is no compiler."""


def _three(extents: Any) -> tuple[int, int, int]:
    """Return the three dimensions of a grid or a block, from one to three numbers."""
    numbers = (extents,) if isinstance(extents, int) else tuple(map(int, extents))
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


def _argument(value: Any) -> Any:
    """Return an argument of a launch: an array as its memory, a pointer as its address, and numbers unchanged."""
    if isinstance(value, Storage):
        start, nbytes = value.extent()
        return Memory(start, nbytes, value.on_host())
    if isinstance(value, MemoryPointer):
        return value.ptr
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return value
    raise TypeError(f"Unsupported type {type(value)}")


class ElementwiseKernel(_Kernel):
    """A kernel that computes element by element."""

    def __init__(
        self, in_params: str, out_params: str, operation: str, name: str = "kernel", *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(name, "ElementwiseKernel")
        self.in_params, self.out_params, self.operation = in_params, out_params, operation


class ReductionKernel(_Kernel):
    """A kernel that reduces along axes."""

    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: Any,
        name: str = "reduce_kernel",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(name, "ReductionKernel")
        self.in_params, self.out_params, self.identity = in_params, out_params, identity


def fuse(*args: Any, **kwargs: Any) -> Any:
    """Return the decorated function unchanged: its operations give the same result one after the other."""
    return args[0] if args and callable(args[0]) else lambda function: function


def memoize(for_each_device: bool = False) -> Callable[..., Any]:
    """Return a decorator: the function's results are kept until ``clear_memo``."""

    def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
        memo: dict[Any, Any] = {}
        _MEMOS.append(memo)

        def remembering(*args: Any, **kwargs: Any) -> Any:
            key = (args, frozenset(kwargs.items()))
            if key not in memo:
                memo[key] = function(*args, **kwargs)
            return memo[key]

        return remembering

    return decorator


def clear_memo() -> None:
    """Forget the results of all memoized functions."""
    for memo in _MEMOS:
        memo.clear()
