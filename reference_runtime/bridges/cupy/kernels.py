"""Kernels written in CUDA C++, and what is built from them: they can be declared here, and run on a GPU only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.errors import NeedsGpu

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
    "needs_gpu",
]

_MEMOS: list[dict[Any, Any]] = []


def needs_gpu(feature: str) -> Callable[..., Any]:
    """Return a function that says, when it is called, that ``feature`` needs a GPU."""

    def placeholder(*_args: Any, **_kwargs: Any) -> Any:
        raise NeedsGpu(feature)

    placeholder.__name__ = placeholder.__qualname__ = feature.rpartition(".")[2]
    return placeholder


class _Kernel:
    """A kernel with a name, to be launched on a GPU."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self._kind = kind

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Launch the kernel."""
        raise NeedsGpu(f"the {self._kind} {self.name!r}")

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise NeedsGpu(f"{self._kind}.{attribute} of {self.name!r}")


class RawKernel(_Kernel):
    """A kernel in CUDA C++."""

    def __init__(self, code: str, name: str, options: Any = (), backend: str = "nvrtc", **others: Any) -> None:
        super().__init__(name, "RawKernel")
        self.code, self.options, self.backend = code, options, backend


class RawModule:
    """Several kernels in CUDA C++."""

    def __init__(self, code: str | None = None, **others: Any) -> None:
        self.code = code

    def get_function(self, name: str) -> RawKernel:
        """Return one of the kernels."""
        return RawKernel(self.code or "", name)

    def get_global(self, name: str) -> Any:
        """Return a variable of the module."""
        raise NeedsGpu(f"RawModule.get_global({name!r})")

    def compile(self, log_stream: Any = None) -> None:
        """Compile the module."""
        raise NeedsGpu("RawModule.compile")


class ElementwiseKernel(_Kernel):
    """A kernel for one element."""

    def __init__(
        self, in_params: str, out_params: str, operation: str, name: str = "kernel", *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(name, "ElementwiseKernel")
        self.in_params, self.out_params, self.operation = in_params, out_params, operation


class ReductionKernel(_Kernel):
    """A kernel that folds."""

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
    """Return the decorated function as it is: one operation after the other gives the same result."""
    return args[0] if args and callable(args[0]) else lambda function: function


def memoize(for_each_device: bool = False) -> Callable[..., Any]:
    """Return a decorator that keeps results until ``clear_memo``."""

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
    """Forget what memoized functions returned."""
    for memo in _MEMOS:
        memo.clear()
