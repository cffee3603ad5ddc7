"""Run stand-ins: NumPy functions that replace kernels, which the host cannot run, by the kernel's name.

A stand-in receives the `Launch` and the kernel's arguments. A number stays a number. A pointer becomes a NumPy array
over the memory, from the pointer to the end of its buffer. The stand-ins of ``standing_in`` apply to all threads.
"""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from reference_runtime.bound.errors import NeedsStandIn
from reference_runtime.bridges.launches import Memory, launched, memory_from
from reference_runtime.bridges.parameters import Parameter, parameters_of
from reference_runtime.devices import host
from reference_runtime.devices.base import Pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["Kernel", "Launch", "StandInError", "launch", "standing_in"]


class Launch(Struct, frozen=True):
    """The grid, block and shared memory of a launch."""

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_mem: int = 0

    @property
    def threads(self) -> int:
        """Return the number of threads in all blocks together."""
        return int(np.prod(self.grid, dtype=np.int64) * np.prod(self.block, dtype=np.int64))


class Kernel(Struct, frozen=True):
    """A kernel: its name, its kind for messages (``RawKernel``), and its CUDA C++ source if that is known."""

    name: str
    kind: str
    source: str = ""

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """Return the kernel's parameters; None if the source does not contain the kernel."""
        return parameters_of(self.source, self.name)


class StandInError(RuntimeError):
    """A stand-in raised an exception, or does not accept the kernel's arguments."""


class _StandIns:
    """The stand-ins of a block of ``standing_in``, and the names of the kernels that were called."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions = functions
        self.called: set[str] = set()


_CURRENT: Final[list[_StandIns]] = []


@contextmanager
def standing_in(functions: Mapping[str, Callable[..., Any]]) -> Iterator[set[str]]:
    """Replace kernels by functions within the block; the set holds the names of kernels that were called so far."""
    stand_ins = _StandIns(functions)
    _CURRENT.append(stand_ins)
    try:
        yield stand_ins.called
    finally:
        _CURRENT.remove(stand_ins)


def launch(kernel: Kernel, how: Launch, arguments: Sequence[Any], stream: int) -> None:
    """Call the stand-in of a kernel, as work on ``stream``.

    An argument is a `Memory`, a number or an address. A number is an address if the kernel's source declares a pointer.
    Without the source, each number that is a device address counts as an address.

    Raises:
        NeedsStandIn: The kernel has no stand-in.
        StandInError: The stand-in failed.
        DeviceFault: A pointer does not point into device memory.
    """
    parameters = kernel.parameters
    name, function = _function_for(kernel, parameters)
    values = [_value(each, _at(parameters, place)) for place, each in enumerate(arguments)]
    memories = [each for each in values if isinstance(each, Memory)]
    with launched(memories, stream):
        _CURRENT[-1].called.add(name)
        try:
            function(how, *(each.elements if isinstance(each, Memory) else each for each in values))
        except Exception as error:
            raise StandInError(
                f"the stand-in for the kernel {kernel.name!r} raised {type(error).__name__}: {error}"
                f"{_place(function, error)}; it was given {', '.join(map(_described, values))}"
            ) from error


def _place(function: Callable[..., Any], error: BaseException) -> str:
    """Return the stand-in's file and the last line of it in the traceback; empty if none of its lines ran."""
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == file]
    return f" at {Path(file).name}:{lines[-1]}" if lines else ""


def _function_for(kernel: Kernel, parameters: tuple[Parameter, ...] | None) -> tuple[str, Callable[..., Any]]:
    functions = _CURRENT[-1].functions if _CURRENT else {}
    for name in (kernel.name, kernel.name.partition("<")[0]):
        if name in functions:
            return name, functions[name]
    names = None if parameters is None else [each.name for each in parameters]
    raise NeedsStandIn(kernel.kind, kernel.name, names, sorted(functions))


def _at(parameters: tuple[Parameter, ...] | None, place: int) -> Parameter | None:
    return parameters[place] if parameters is not None and place < len(parameters) else None


def _value(argument: Any, parameter: Parameter | None) -> Any:
    """Return the value that a stand-in receives; memory is read-only if the kernel may not write to it."""
    if isinstance(argument, Memory):
        return _as_declared(argument, parameter)
    if parameter is None:
        is_address = isinstance(argument, (int, np.integer)) and host.is_device_address(int(argument))
        return memory_from(int(argument), None) if is_address else argument
    if parameter.is_pointer:
        return _as_declared(memory_from(int(argument), parameter.dtype), parameter)
    return argument if parameter.dtype is None else parameter.dtype.type(argument)


def _as_declared(memory: Memory, parameter: Parameter | None) -> Memory:
    elements = memory.elements.view()
    elements.flags.writeable = elements.flags.writeable and not (parameter is not None and parameter.is_constant)
    return Memory(memory.address, memory.nbytes, elements)


def _described(argument: Any) -> str:
    if isinstance(argument, Memory):
        return f"{argument.elements.dtype}{list(argument.elements.shape)}"
    return repr(argument)


def _launch_compiled(name: str, sizes: Sequence[int], arguments: Sequence[Any], stream: int) -> None:
    """Run the stand-in of a kernel that an engine contains in compiled form; constant memory is read-only."""
    values = [_memory(each) if isinstance(each, Pointer) else each for each in arguments]
    x, y, z, *rest = sizes
    how = Launch(name, (x, y, z), (rest[0], rest[1], rest[2]), rest[3])
    launch(Kernel(name, "compiled kernel"), how, values, stream)


def _memory(pointer: Pointer) -> Memory:
    memory = memory_from(pointer.address, pointer.dtype)
    memory.elements.flags.writeable = memory.elements.flags.writeable and not pointer.constant
    return memory


host.launch_with(_launch_compiled)
