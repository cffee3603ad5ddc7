"""Lend expressions to C++: `IExprBuilder` and `IDimensionExpr` objects that call this runtime's expressions.

Theory. The methods of these two classes are inline functions in TensorRT's header. Each reads a pointer, which follows
the address of the object's table, and calls the object there (`VExprBuilder`, `VDimensionExpr`). So each object here
has three words. The first is the address of an unused table, and the second points to the third. The third is the
address of the table that is called.
"""

from __future__ import annotations

import collections
import struct
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.native.abi.tables import Table, Words
from reference_runtime.native.exchange.misuses import MisuseError, note
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DimensionOperation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference_runtime.native.abi.slots import Abi

_MOST_DIMS: Final = 8
_SHAPE: Final = struct.Struct(f"<i4x{_MOST_DIMS}Q")
_WORD: Final = 8
_KEPT: Final = 20_000
"""How many expressions are kept. Those of earlier calls are included, so they are not taken for random addresses."""


class Expressions:
    """The expressions of one epoch, by their addresses."""

    def __init__(self, abi: Abi) -> None:
        self._builders = self._tables(
            abi,
            "IExprBuilder",
            {"constant": self._constant, "operation": self._operation, "declareSizeTensor": self._declare_size},
        )
        self._expressions = self._tables(
            abi,
            "IDimensionExpr",
            {
                "isConstant": lambda this: self._behind(this).is_constant(),
                "getConstantValue": lambda this: self._behind(this).get_constant_value(),
                "isSizeTensor": lambda this: self._behind(this).is_size_tensor(),
            },
        )
        self._known: dict[int, tuple[Any, Words]] = {}
        self._addresses: dict[int, int] = {}
        self._order: collections.deque[int] = collections.deque()

    @staticmethod
    def _tables(abi: Abi, name: str, methods: dict[str, Any]) -> tuple[Table, Table]:
        return Table(abi, name, {}), Table(abi, f"apiv::V{name.removeprefix('I')}", methods)

    def lend_builder(self, builder: Any) -> int:
        """Return the address of a builder's C++ object."""
        return self._lend(builder, self._builders)

    def shapes(self, exprs: Iterable[Any]) -> bytes:
        """Return shapes of expressions as the bytes of an array of ``DimsExprs``."""
        return b"".join(map(self._shape, exprs))

    def no_shapes(self, count: int) -> bytes:
        """Return the bytes of ``count`` empty shapes, into which a plugin writes."""
        return bytes(_SHAPE.size * count)

    def read_shapes(self, memory: bytes) -> list[DimsExprs]:
        """Return the shapes that a plugin wrote.

        Raises:
            MisuseError: A shape has an impossible number of dimensions, or a pointer that is no known expression's.
        """
        return [self.read_shape(length, slots) for length, *slots in _SHAPE.iter_unpack(memory)]

    def read_shape(self, length: int, slots: Sequence[int | None]) -> DimsExprs:
        """Return a shape, from its number of dimensions and its pointers; errors are those of :meth:`read_shapes`."""
        if not 0 <= length <= _MOST_DIMS:
            raise MisuseError(f"a shape has {length} dimensions, but at most {_MOST_DIMS} are possible")
        return DimsExprs([self._expression(slot or 0, axis) for axis, slot in enumerate(slots[:length])])

    def _expression(self, address: int, axis: int) -> Any:
        if address in self._known:
            return self._known[address][0]
        what = "a null pointer" if not address else f"the pointer {address:#x}, which no expression builder gave out"
        raise MisuseError(f"dimension {axis} of a shape is {what}")

    def _shape(self, shape: Any) -> bytes:
        extents = [self._lend(shape[axis], self._expressions) for axis in range(len(shape))]
        return _SHAPE.pack(len(extents), *extents, *[0] * (_MOST_DIMS - len(extents)))

    def _lend(self, value: Any, tables: tuple[Table, Table]) -> int:
        if value is None:
            return 0
        known = self._addresses.get(id(value))
        if known is not None:
            return known
        words = Words(tables[0].address, 0, tables[1].address)
        words[1] = words.address + 2 * _WORD
        self._known[words.address] = (value, words)
        self._addresses[id(value)] = words.address
        self._order.append(words.address)
        if len(self._order) > _KEPT:
            old, _ = self._known.pop(self._order.popleft())
            del self._addresses[id(old)]
        return words.address

    def _behind(self, this: int) -> Any:
        return self._known[this - 2 * _WORD][0]

    def _constant(self, this: int, value: int) -> int:
        return self._lend(self._behind(this).constant(value), self._expressions)

    def _operation(self, this: int, kind: int, first: int, second: int) -> int:
        operands = [self._operand(each, f"operation({kind})") for each in (first, second)]
        if None in operands:
            return 0
        return self._lend(self._behind(this).operation(DimensionOperation(kind), *operands), self._expressions)

    def _declare_size(self, this: int, output: int, best: int, upper: int) -> int:
        operands = [self._operand(each, "declareSizeTensor") for each in (best, upper)]
        try:
            made = self._behind(this).declare_size_tensor(output, *operands)
        except (RuntimeError, TypeError) as error:
            note(MisuseError(str(error)))
            return 0
        return self._lend(made, self._expressions)

    def _operand(self, address: int | None, call: str) -> Any:
        if address in self._known:
            return self._known[address][0]
        note(MisuseError(f"IExprBuilder::{call} was given a pointer that is no expression's"))
        return None
