"""The shapes of tensors: Dims, its fixed-length subclasses, and Permutation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import pybind11_object, state, static_property
from reference_runtime.bound.conversions import Mismatch, instance, int32, int64, sequence
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference_runtime.bound.bound_class import attribute

MAX_DIMS = 8
_SHAPE = sequence(int64)
_LISTED = "collections.abc.Sequence[typing.SupportsInt]"


def to_dims(value: Any) -> Dims:
    """Convert to ``Dims`` as a bound parameter does: a Dims, or a sequence of up to eight integers."""
    if isinstance(value, Dims):
        return value
    if not hasattr(type(value), "__getitem__"):  # the constructor takes sets and generators, a parameter does not
        raise Mismatch
    shape = _SHAPE(value)
    if len(shape) > MAX_DIMS or not all(hasattr(type(extent), "__index__") for extent in value):
        raise Mismatch
    return Dims(shape)


class Dims(pybind11_object, bound=True):
    """A shape of up to eight dimensions, each of 64 bits."""

    MAX_DIMS = static_property(lambda _cls: MAX_DIMS)

    @constructor(
        Overload("(self: Dims) -> None"),
        Overload(f"(self: Dims, shape: {_LISTED}) -> None", _SHAPE),
    )
    def __init__(self, shape: Iterable[int] = ()) -> None:
        _store(self, list(shape))

    @bound(Overload("(self: Dims) -> int"))
    def __len__(self) -> int:
        """Return the number of dimensions."""
        length: int = state(self)["length"]
        return length

    @bound(
        Overload("(self: Dims, arg0: typing.SupportsInt) -> int", int32),
        Overload("(self: Dims, arg0: slice) -> tuple", instance(slice)),
    )
    def __getitem__(self, key: Any) -> Any:
        """Return one dimension, or a tuple of the dimensions in a slice."""
        held = state(self)
        extents = held["extents"]
        if isinstance(key, int):
            return extents[_place(key, held["length"])]
        try:
            start, stop, step = key.indices(len(self))
        except (TypeError, ValueError) as error:
            raise ValueError("Incorrect getter slice dims") from error
        if step < 0:
            raise NativeCrash("Dims was sliced backwards: the genuine bindings return a tuple of null pointers.")
        return tuple(extents[start:stop:step])

    @bound(
        Overload("(self: Dims, arg0: typing.SupportsInt, arg1: typing.SupportsInt) -> None", int32, int64),
        Overload("(self: Dims, arg0: slice, arg1: Dims) -> None", instance(slice), to_dims),
    )
    def __setitem__(self, key: Any, value: Any) -> None:
        """Change one dimension or a slice; a slice must stop before the last dimension, as in the genuine bindings."""
        held = state(self)
        extents = held["extents"]
        if isinstance(key, int):
            extents[_place(key, held["length"])] = value
            return
        try:
            start, stop, step = key.indices(len(self))
        except (TypeError, ValueError) as error:
            raise ValueError("Incorrect setter slice dims") from error
        if stop >= len(self):
            raise IndexError("Out of bounds")
        for place, extent in zip(range(start, stop, step), state(value)["extents"], strict=False):
            extents[place] = extent

    @bound(
        Overload("(self: Dims, arg0: list) -> bool", instance(list)),
        Overload("(self: Dims, arg0: tuple) -> bool", instance(tuple)),
    )
    def __eq__(self, other: object) -> bool:
        """Compare with a list or a tuple; the genuine bindings refuse all other types, even another Dims."""
        numbers: Any = other
        if len(numbers) != len(self):
            return False
        try:
            return tuple(_SHAPE(numbers)) == values(self)
        except Mismatch:
            raise RuntimeError(
                f"Unable to cast Python instance of type {type(other)} to C++ type '?' "
                f"(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
            ) from None

    __hash__ = None  # type: ignore[assignment]

    @bound(Overload("(self: Dims) -> str"))
    def __str__(self) -> str:
        """Return the text of the tuple of its dimensions."""
        return str(values(self))

    @bound(Overload("(self: Dims) -> str"))
    def __repr__(self) -> str:
        """Return the same as ``str``."""
        return str(values(self))


def _place(index: int, length: int) -> int:
    place = index + length if index < 0 else index
    if 0 <= place < length:
        return place
    if length < 0:  # the shape of a tensor that does not exist
        raise ValueError("__len__() should return >= 0")
    raise IndexError("Out of bounds")


def _store(target: Dims, shape: list[int]) -> None:
    if len(shape) > MAX_DIMS:
        raise ValueError(f"Input length {len(shape)}. Max expected length is {MAX_DIMS}")
    state(target).update(length=len(shape), extents=shape + [0] * (MAX_DIMS - len(shape)))


def _store_exactly(target: Dims, name: str, length: int, arguments: tuple[Any, ...]) -> None:
    shape = [0] * length if not arguments else list(arguments[0]) if isinstance(arguments[0], list) else list(arguments)
    if len(shape) != length:
        raise ValueError(f"Input length {len(shape)} not equal to expected {name} length, which is {length}")
    _store(target, shape)


def _fixed(name: str, *parameters: str) -> tuple[Overload, ...]:
    listed = ", ".join(f"{parameter}: typing.SupportsInt" for parameter in parameters)
    return (
        Overload(f"(self: {name}) -> None"),
        Overload(f"(self: {name}, {listed}) -> None", *[int64] * len(parameters)),
        Overload(f"(self: {name}, shape: {_LISTED}) -> None", _SHAPE),
    )


class Dims2(Dims, bound=True):
    """A shape of two dimensions."""

    @constructor(*_fixed("Dims2", "dim0", "dim1"))
    def __init__(self, *arguments: Any) -> None:
        _store_exactly(self, "Dims2", 2, arguments)


def _extent(place: int) -> attribute:
    def read(dims: Dims) -> int:
        return int(state(dims)["extents"][place])

    def write(dims: Dims, extent: int) -> None:
        state(dims)["extents"][place] = extent

    return accessor("(arg0: DimsHW, arg1: typing.SupportsInt) -> None", read, write, int64)


class DimsHW(Dims2, bound=True):
    """A height and a width."""

    @constructor(*_fixed("DimsHW", "h", "w"))
    def __init__(self, *arguments: Any) -> None:
        _store_exactly(self, "DimsHW", 2, arguments)

    h = _extent(0)
    w = _extent(1)


class Dims3(Dims, bound=True):
    """A shape of three dimensions."""

    @constructor(*_fixed("Dims3", "dim0", "dim1", "dim2"))
    def __init__(self, *arguments: Any) -> None:
        _store_exactly(self, "Dims3", 3, arguments)


class Dims4(Dims, bound=True):
    """A shape of four dimensions."""

    @constructor(*_fixed("Dims4", "dim0", "dim1", "dim2", "dim3"))
    def __init__(self, *arguments: Any) -> None:
        _store_exactly(self, "Dims4", 4, arguments)


class Permutation(pybind11_object, bound=True):
    """An order of eight axes; entries beyond those given are 0."""

    @constructor(
        Overload("(self: Permutation) -> None"),
        Overload(f"(self: Permutation, arg0: {_LISTED}) -> None", sequence(int32)),
    )
    def __init__(self, order: Sequence[int] = ()) -> None:
        if len(order) > MAX_DIMS:
            raise ValueError(f"Invalid input length. Max expected length is {MAX_DIMS}")
        state(self)["order"] = [*order, *[0] * (MAX_DIMS - len(order))]

    def __len__(self) -> int:
        """Return the number of entries, which is always eight."""
        return MAX_DIMS

    @bound(Overload("(self: Permutation, arg0: typing.SupportsInt) -> int", int32))
    def __getitem__(self, index: Any) -> int:
        """Return one entry."""
        return int(state(self)["order"][_place(index, MAX_DIMS)])

    @bound(Overload("(self: Permutation, arg0: typing.SupportsInt, arg1: typing.SupportsInt) -> None", int32, int32))
    def __setitem__(self, index: Any, axis: int) -> None:
        """Change one entry."""
        state(self)["order"][_place(index, MAX_DIMS)] = axis

    def __str__(self) -> str:
        """Return the text of the tuple of its entries."""
        return str(tuple(state(self)["order"]))

    __repr__ = __str__


def values(dims: Dims) -> tuple[int, ...]:
    """Return a shape's dimensions as plain integers."""
    held = state(dims)
    return tuple(held["extents"][: held["length"]])


def assign(target: Dims, source: Dims) -> None:
    """Copy one shape's dimensions into another, as assigning a C++ member does."""
    held = state(source)
    state(target).update(length=held["length"], extents=list(held["extents"]))
