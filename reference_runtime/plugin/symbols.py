"""Numbers that are known only when an engine is built or run, as a decorated function calculates with them.

Theory. A shape expression is *fake* if it has no value to calculate with. TensorRT asks for the types of outputs
without a builder of expressions, so all dimensions are fake. Every result of a fake expression is fake. During the
shape query there is a current builder (`calculating`), and an expression holds an `IDimensionExpr` of that call. The
operators are those of TensorRT's package, which do not accept a number on the left side.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

from reference_runtime.shapes.expressions import IDimensionExpr
from reference_runtime.shapes.symbolic_arguments import ISymExpr
from reference_runtime.values.dims import MAX_DIMS
from reference_runtime.values.enums import DimensionOperation, PluginArgDataType, PluginArgType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BUILDER: ContextVar[Any] = ContextVar("reference_runtime_plugin_builder", default=None)
_Op = DimensionOperation
_OF_SIZES = "It is not permitted to perform binary operations on size tensor expressions"


@contextmanager
def calculating(builder: Any) -> Iterator[None]:
    """Let ``builder`` make the expressions of the block."""
    token = _BUILDER.set(builder)
    try:
        yield
    finally:
        _BUILDER.reset(token)


class SymIntExpr:
    """A symbolic integer."""

    def __init__(self, value: Any = None) -> None:
        self._int_expr: Any = None
        builder = _BUILDER.get()
        if isinstance(value, int):
            self._int_expr = None if builder is None else builder.constant(value)
        elif isinstance(value, IDimensionExpr):
            self._int_expr = value
        elif isinstance(value, SymIntExpr):
            self._int_expr = value._int_expr

    def _op(self, operation: DimensionOperation, other: Any) -> SymIntExpr:
        other = SymIntExpr(other) if isinstance(other, int) else other
        return SymIntExpr(_BUILDER.get().operation(operation, self._expr, other._expr))

    def __add__(self, other: Any) -> Any:
        return self._op(_Op.SUM, other)

    def __sub__(self, other: Any) -> Any:
        return self._op(_Op.SUB, other)

    def __mul__(self, other: Any) -> Any:
        return self._op(_Op.PROD, other)

    def __floordiv__(self, other: Any) -> Any:
        return self._op(_Op.FLOOR_DIV, other)

    def __eq__(self, other: object) -> Any:
        return self._op(_Op.EQUAL, other)

    def __lt__(self, other: Any) -> Any:
        return self._op(_Op.LESS, other)

    def __bool__(self) -> bool:
        if not self.is_constant:
            raise RuntimeError(
                "Cannot evaluate symbolic expression as boolean. "
                "Use is_constant and constant_value() for conditional checks."
            )
        return bool(self._expr.get_constant_value())

    def __repr__(self) -> str:
        if self._expr is None or not self.is_constant:
            return f"{type(self).__name__}[id={id(self)}]"
        return f"{type(self).__name__}[{self._expr.get_constant_value()}]"

    @property
    def is_constant(self) -> bool:
        """Return whether the value is known when an engine is built."""
        return bool(self._expr.is_constant())

    def constant_value(self) -> int:
        """Return the value, if it is known when an engine is built."""
        if not self.is_constant:
            raise RuntimeError(
                "Not accessible for non-constant integer expressions. Check is_constant to determine accessibility."
            )
        return int(self._expr.get_constant_value())

    @property
    def _expr(self) -> Any:
        """The `IDimensionExpr`; None if there is none."""
        return self._int_expr


class SymInt32(SymIntExpr):
    """A symbolic integer of 32 bits: an argument of a kernel."""

    def __call__(self) -> ISymExpr:
        """Return the `ISymExpr` for an argument of a kernel."""
        made = ISymExpr()
        made.type, made.dtype, made.expr = PluginArgType.INT, PluginArgDataType.INT32, self._expr
        return made


class SymInt8(SymIntExpr):
    """A symbolic integer of 8 bits; as in the genuine bindings it cannot be given to a kernel."""


class SymInt16(SymIntExpr):
    """A symbolic integer of 16 bits; as in the genuine bindings it cannot be given to a kernel."""


class ShapeExpr(SymInt32):
    """The value of one dimension."""

    def __init__(self, value: Any = None) -> None:
        super().__init__(value)
        self._is_dummy = value is None or (isinstance(value, int) and _BUILDER.get() is None)
        self._is_size_tensor = False
        if isinstance(value, ShapeExpr):
            self._is_dummy, self._is_size_tensor = value._is_dummy, value._is_size_tensor

    def _op(self, operation: DimensionOperation, other: Any) -> ShapeExpr:
        if self._is_size_tensor:
            raise ValueError(_OF_SIZES)
        return ShapeExpr() if self._is_dummy else ShapeExpr(super()._op(operation, other))

    def __bool__(self) -> bool:
        if self._is_dummy:
            raise RuntimeError("Cannot evaluate fake ShapeExpr as boolean. Check is_fake first.")
        return super().__bool__()

    def __repr__(self) -> str:
        return f"FakeShapeExpr[id={id(self)}]" if self._is_dummy else super().__repr__()

    @property
    def is_fake(self) -> bool:
        """Return whether the expression has no value, so that no calculation can use it."""
        return self._is_dummy

    @property
    def is_size_tensor(self) -> bool:
        """Return whether the expression is the value of a size tensor."""
        return self._is_size_tensor

    @property
    def is_constant(self) -> bool:
        """Return whether the dimension is known when an engine is built; raise for a fake expression."""
        _refuse_fake(self)
        return super().is_constant

    def constant_value(self) -> int:
        """Return the dimension, if it is known when an engine is built."""
        if not self.is_constant:
            raise RuntimeError(
                "Not accessible for non-constant shape expressions. Check is_constant to determine accessibility."
            )
        return super().constant_value()

    def _clone(self) -> ShapeExpr:
        made = ShapeExpr(self + 0)
        made._is_dummy, made._is_size_tensor = self._is_dummy, self._is_size_tensor
        return made


def _refuse_fake(expression: ShapeExpr) -> None:
    if expression.is_fake:
        raise RuntimeError("Not accessible for fake 'ShapeExpr's. Check is_fake to determine accessibility.")


class SizeTensor(Protocol):
    """A size tensor's descriptor, as its dimension sees it."""

    @property
    def opt(self) -> ShapeExpr:
        """The dimension that the plugin is timed with."""
        ...

    @property
    def upper_bound(self) -> ShapeExpr:
        """The greatest dimension."""
        ...

    @property
    def index(self) -> Any:
        """The index of the output; None until the answer is known."""
        ...


class SizeTensorShapeExpr(ShapeExpr):
    """The dimension that a size tensor decides when the engine runs."""

    def __init__(self, size_tensor_desc: SizeTensor) -> None:
        super().__init__()
        self._is_size_tensor = True
        self._is_dummy = size_tensor_desc.opt.is_fake
        self._size_tensor_desc = size_tensor_desc
        self._made_by = _BUILDER.get()

    @property
    def size_tensor(self) -> SizeTensor:
        """The descriptor of the size tensor; an addition to TensorRT's package."""
        return self._size_tensor_desc

    def _op(self, operation: DimensionOperation, other: Any) -> ShapeExpr:  # noqa: ARG002 - all are refused
        raise ValueError(_OF_SIZES)

    def __repr__(self) -> str:
        return f"ShapeExpr[is_size_tensor = True, id={id(self)}]"

    @property
    def is_constant(self) -> bool:
        """Return False; raise RuntimeError for a fake expression."""
        _refuse_fake(self)
        return False

    @property
    def _expr(self) -> Any:
        """The `IDimensionExpr`; the size tensor is declared at the first use, when its output's index is known."""
        if self._int_expr is None and not self._is_dummy:
            desc = self._size_tensor_desc
            self._int_expr = self._made_by.declare_size_tensor(desc.index, desc.opt._expr, desc.upper_bound._expr)
        return self._int_expr


class SymExprs:
    """A row of symbolic expressions; an integer that is assigned becomes one."""

    _element: type[SymIntExpr] = SymIntExpr
    _refusal = ""

    def __init__(self, length: int) -> None:
        self._length = length
        self._exprs: list[Any] = [None] * length

    @classmethod
    def from_tuple(cls, shape_exprs: Iterable[Any]) -> Any:
        """Return a row of the given expressions and integers."""
        exprs = [cls._made(each) for each in shape_exprs]
        made = cls(len(exprs))
        made._exprs = exprs
        return made

    @classmethod
    def _made(cls, value: Any) -> Any:
        if isinstance(value, SymIntExpr):
            return value
        if isinstance(value, int):
            return SymInt32(value)
        if isinstance(value, float):
            raise ValueError("Float symbolic expressions are not supported")
        raise ValueError(f"Unsupported type: '{type(value)}'")

    def __iter__(self) -> Iterator[Any]:
        return iter(self._exprs)

    def __getitem__(self, index: Any) -> Any:
        return self._exprs[index]

    def __len__(self) -> int:
        return self._length

    def __setitem__(self, index: int, value: Any) -> None:
        if index >= self._length:
            raise IndexError("Index out of range")
        self._exprs[index] = self._assigned(value)

    def _assigned(self, value: Any) -> Any:
        return self._made(value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}[{', '.join(map(repr, self._exprs))}]"


class _Typed(SymExprs):
    """A row of expressions of one kind."""

    @classmethod
    def _made(cls, value: Any) -> Any:
        return value if isinstance(value, cls._element) else cls._element(value)

    def _assigned(self, value: Any) -> Any:
        if not isinstance(value, (self._element, int)):
            kind = self._element.__name__
            raise ValueError(f"Value should be int or {kind}. Got '{type(value)}'")
        return self._made(value)


class ShapeExprs(_Typed):
    """The dimensions of a tensor."""

    _element = ShapeExpr

    def __init__(self, length: int, _is_dummy: bool = False) -> None:  # noqa: FBT001, FBT002 - as in the genuine bindings
        if length > MAX_DIMS:
            raise ValueError(
                f"ShapeExprs can only support up to trt.Dims.MAX_DIMS = {MAX_DIMS} dimensions. {length} given."
            )
        super().__init__(length)
        self._is_dummy = _is_dummy
        if _is_dummy:
            self._exprs = [ShapeExpr()] * length

    def numel(self) -> ShapeExpr:
        """Return the number of elements."""
        product: Any = ShapeExpr(1)
        for extent in self._exprs:
            product *= extent
        return product  # type: ignore[no-any-return]

    def _clone(self) -> ShapeExprs:
        made: ShapeExprs = ShapeExprs.from_tuple(extent._clone() for extent in self._exprs)
        made._is_dummy = self._is_dummy
        return made


class SymIntExprs(_Typed):
    """Symbolic integers: a kernel's arguments beside its tensors."""

    _element = SymIntExpr
