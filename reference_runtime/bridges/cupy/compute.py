"""Run NumPy functions on device arrays: elements are read in place, and new results get new memory.

The result shows which accesses are recorded. A result in the memory of an operand is a view, for which the device does
no work. Any other result is new: the operands were read and the result was written, on the current stream. The results
of reductions stay on the device, as arrays without axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.cupy.cuda import memory
from reference_runtime.bridges.cupy.cuda.stream import get_current_stream
from reference_runtime.bridges.cupy.storage import Storage
from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Operands", "compute", "scratch", "unsupported", "wait"]


def unsupported(value: object) -> TypeError:
    """Return CuPy's error for an operand of a wrong type."""
    return TypeError(f"Unsupported type {type(value)}")


def scratch(nbytes: int) -> None:
    """Allocate and free the scratch memory that CuPy uses and NumPy does not."""
    memory.alloc(nbytes)


def wait(what: str) -> None:
    """Make the host wait for the current stream, as CuPy does when the host needs a result."""
    host.current_device().synchronize(what, host.stream_at(get_current_stream().ptr))


class Operands:
    """The device arrays among the arguments of a function, each with its elements on the host."""

    def __init__(self, *, hosts_allowed: bool = False) -> None:
        self._hosts_allowed = hosts_allowed
        self.pairs: list[tuple[Storage, np.ndarray[Any, Any]]] = []

    def unwrap(self, value: Any) -> Any:
        """Return ``value`` with every device array in it replaced by its elements on the host.

        Raises:
            TypeError: The value contains an array of the host, and these are not allowed.
        """
        if isinstance(value, Storage):
            seen = value.on_host()
            self.pairs.append((value, seen))
            return seen
        if isinstance(value, np.ndarray) and not self._hosts_allowed:
            raise unsupported(value)
        if isinstance(value, list):
            return [self.unwrap(item) for item in value]
        if type(value) is tuple:
            return tuple(self.unwrap(item) for item in value)
        return value

    def wrap(self, result: Any, cls: type[Storage]) -> Any:
        """Return a result of NumPy as CuPy returns it: arrays are on the device, and views stay views."""
        if isinstance(result, np.ndarray):
            view = self._as_view(result)
            return cls.from_host(result) if view is None else view
        if isinstance(result, (np.generic, bool)):
            return cls.from_host(np.asarray(result))
        if isinstance(result, (tuple, list)):
            items = [self.wrap(item, cls) for item in result]
            return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
        return result

    def _as_view(self, result: np.ndarray[Any, Any]) -> Storage | None:
        for array, seen in self.pairs:
            if result is seen:
                return array
        for array, seen in self.pairs:
            if result.size and np.may_share_memory(result, seen):
                return array.view_like(result, seen)
        return None


def compute(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    cls: type[Storage],
    writes: Sequence[Storage] = (),
    waits: str = "",
) -> Any:
    """Call a NumPy function on device arrays; ``writes`` are the arguments that it changes.

    ``waits`` is why the host waits for the result, such as its size; empty if it does not wait.
    """
    operands = Operands()
    unwrapped = [operands.unwrap(arg) for arg in args]
    keywords = {name: operands.unwrap(value) for name, value in kwargs.items()}
    with np.errstate(all="ignore"):
        result = function(*unwrapped, **keywords)
    reads = _operands_read(operands, writes)
    if writes or not _is_view_of(result, operands):
        for array in reads:
            array.note("read")
    if waits:
        wait(waits)
    for array in writes:
        _write(array, reads)
    return operands.wrap(result, cls)


def _operands_read(operands: Operands, writes: Sequence[Storage]) -> list[Storage]:
    """Return the operands without the outputs, which are arguments of the call but are not read."""
    reads = [array for array, _ in operands.pairs]
    for written in writes:
        place = next((place for place, array in enumerate(reads) if array is written), None)
        if place is not None:
            del reads[place]
    return reads


def _write(array: Storage, reads: Sequence[Storage]) -> None:
    """Record that ``array`` was written; CuPy first copies an operand that shares memory with it."""
    for read in reads:
        if read.may_overlap(array) and not read.is_at(array):
            scratch(read.nbytes)
    array.note("write")


def _is_view_of(result: Any, operands: Operands) -> bool:
    """Return whether a result consists only of views of the operands."""
    if isinstance(result, (tuple, list)):
        return all(_is_view_of(item, operands) for item in result)
    if not isinstance(result, np.ndarray):
        return not isinstance(result, (np.generic, bool))
    return any(result is seen or np.may_share_memory(result, seen) for _, seen in operands.pairs)
