"""Replace PyCUDA: its names can be imported, and a call raises `NeedsGpu`.

So a plugin with PyCUDA kernels can be imported, and all of it can be checked except its executions.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.errors import NeedsGpu

__all__ = ["Name", "SourceModule"]
__path__: list[str] = []  # so this is a package; all its submodules are this module


class Name:
    """A member of PyCUDA: any attribute of it is a member, too, and a call needs a GPU."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        """Raise `NeedsGpu`."""
        raise NeedsGpu(self._name)

    def __getattr__(self, attribute: str) -> Name:
        return _named(self._name, attribute)


class SourceModule:
    """Kernels in CUDA C++; plugins create it when they are imported."""

    def __init__(self, source: str, *_args: Any, **_kwargs: Any) -> None:
        self.source = source

    def get_function(self, name: str) -> Name:
        """Return the kernel with a name."""
        return Name(f"the kernel {name!r} of PyCUDA")


def _named(owner: str, attribute: str) -> Name:
    if attribute.startswith("__"):
        raise AttributeError(attribute)
    return Name(f"{owner}.{attribute}")


def __getattr__(name: str) -> Name:
    return _named("pycuda", name)
