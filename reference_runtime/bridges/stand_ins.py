"""NumPy functions that replace kernels which the host cannot run (stand-ins), by the kernel's name.

A stand-in gets the `Launch` and the kernel's arguments. Numbers are numbers. For each pointer it gets a NumPy array
over the memory itself, no longer than it. The functions inside ``standing_in`` apply to the whole process, as a device
does.
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
        """The number of threads in all."""
        return int(np.prod(self.grid, dtype=np.int64) * np.prod(self.block, dtype=np.int64))


class Kernel(Struct, frozen=True):
    """A kernel by its name, the technology that it belongs to, and its CUDA C++ if that is known."""

    name: str
    kind: str
    source: str = ""

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """Its parameters, as far as the source shows them."""
        return parameters_of(self.source, self.name)


class StandInError(RuntimeError):
    """A stand-in failed: its arguments did not fit, or it is wrong itself."""


class _Company:
    """The current stand-ins, and the names of those that were called."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions = functions
        self.called: set[str] = set()


_AT_PRESENT: Final[list[_Company]] = []


@contextmanager
def standing_in(functions: Mapping[str, Callable[..., Any]]) -> Iterator[set[str]]:
    """Replace kernels by functions, for all threads; the set holds the names of those that were called."""
    company = _Company(functions)
    _AT_PRESENT.append(company)
    try:
        yield company.called
    finally:
        _AT_PRESENT.remove(company)


def launch(kernel: Kernel, how: Launch, arguments: Sequence[Any], stream: int) -> None:
    """Call the stand-in of a kernel, as work on ``stream``.

    An argument is a `Memory`, a number, or an address if the source says that it is one.

    Raises:
        NeedsStandIn: The kernel has no stand-in.
        StandInError: The stand-in failed.
        DeviceFault: A pointer does not point into memory.
    """
    parameters = kernel.parameters
    name, function = _function_for(kernel, parameters)
    given = [_given(each, _at(parameters, place)) for place, each in enumerate(arguments)]
    memories = [each for each in given if isinstance(each, Memory)]
    with launched(memories, stream):
        _AT_PRESENT[-1].called.add(name)
        try:
            function(how, *(each.elements if isinstance(each, Memory) else each for each in given))
        except Exception as error:
            raise StandInError(
                f"the stand-in for the kernel {kernel.name!r} raised {type(error).__name__}: {error}"
                f"{_place(function, error)}; it was given {', '.join(map(_described, given))}"
            ) from error


def _place(function: Callable[..., Any], error: BaseException) -> str:
    """Return the last line of the stand-in's own file in the error's traceback; empty if none of its lines ran."""
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == file]
    return f" at {Path(file).name}:{lines[-1]}" if lines else ""


def _function_for(kernel: Kernel, parameters: tuple[Parameter, ...] | None) -> tuple[str, Callable[..., Any]]:
    functions = _AT_PRESENT[-1].functions if _AT_PRESENT else {}
    for name in (kernel.name, kernel.name.partition("<")[0]):
        if name in functions:
            return name, functions[name]
    names = None if parameters is None else [each.name for each in parameters]
    raise NeedsStandIn(kernel.kind, kernel.name, names, sorted(functions))


def _at(parameters: tuple[Parameter, ...] | None, place: int) -> Parameter | None:
    return parameters[place] if parameters is not None and place < len(parameters) else None


def _given(argument: Any, parameter: Parameter | None) -> Any:
    """Return an argument as a stand-in gets it; memory is read-only if the kernel may not write to it."""
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
    """Launch the kernel of a plugin that an engine holds compiled ahead of time; inputs are read-only."""
    given = [_memory(each) if isinstance(each, Pointer) else each for each in arguments]
    x, y, z, *rest = sizes
    how = Launch(name, (x, y, z), (rest[0], rest[1], rest[2]), rest[3])
    launch(Kernel(name, "compiled kernel"), how, given, stream)


def _memory(pointer: Pointer) -> Memory:
    memory = memory_from(pointer.address, pointer.dtype)
    memory.elements.flags.writeable = memory.elements.flags.writeable and not pointer.constant
    return memory


host.launch_with(_launch_compiled)
