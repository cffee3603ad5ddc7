"""Symbolic shapes: IDimensionExpr, IExprBuilder and DimsExprs, and the lifetime of a builder.

Theory. TensorRT lends a plugin one builder for each call. The builder and its expressions must not be used after the
call. The genuine bindings do not notice a later use. Here each builder has a `Generation`, which is closed after the
call and records misuse. A closed expression still returns its values, as in the genuine bindings. `expression_nodes`
defines the values of expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from reference_runtime.bound.bound_class import holding, initialise, made, pybind11_object, state
from reference_runtime.bound.conversions import instance, int32, int64, optional, sequence
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.level_constants import version_facts
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.bound.undefined_use import Misuse, MisuseKind, misuse
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.expression_nodes import Constant, Extent, Node, Plain, Size, Sizes, Value
from reference_runtime.values.dims import MAX_DIMS
from reference_runtime.values.enums import DimensionOperation

if TYPE_CHECKING:
    from collections.abc import Sequence


class Generation(Struct, eq=False):
    """The lifetime of one builder: whether its call still runs, and the misuse of its expressions.

    ``sizes`` says whether size tensors can be declared: in the shape query of an IPluginV3.
    """

    alive: bool = True
    sizes: bool = False
    misuses: list[Misuse] = field(default_factory=list)

    def note(self, kind: MisuseKind, what: str) -> None:
        """Record a misuse."""
        self.misuses.append(misuse(kind, what))


class IDimensionExpr(pybind11_object, bound=True):
    """The value of one dimension, as far as it is known while the network is analysed."""

    @bound(Overload("(self: IDimensionExpr) -> bool"))
    def is_constant(self) -> bool:
        """Return whether the value is known now."""
        return isinstance(_used(self), Constant)

    @bound(Overload("(self: IDimensionExpr) -> int"))
    def get_constant_value(self) -> int:
        """Return the value if it is known, else the least 64-bit integer (32-bit up to TensorRT 9)."""
        node = _used(self)
        if isinstance(node, Constant):
            return node.value
        bits = version_facts().constant_bits
        what = f"the constant value of {describe(self)} was asked for, and the {bits}-bit minimum came back"
        generation_of(self).note(MisuseKind.NON_CONSTANT_VALUE, what)
        return -(1 << (bits - 1))

    @bound(Overload("(self: IDimensionExpr) -> bool"))
    def is_size_tensor(self) -> bool:
        """Say whether this is the value of a size tensor itself, as ``declare_size_tensor`` returned it."""
        return isinstance(_used(self), Size)


_EXPRESSION = instance(IDimensionExpr)


class IExprBuilder(pybind11_object, bound=True):
    """Makes expressions; TensorRT passes one to each shape query.

    Python can construct one, which then crashes at its first use.
    """

    @constructor(Overload("(self: IExprBuilder) -> None"))
    def __init__(self) -> None:
        """Construct a builder without a generation, which therefore crashes at its first use."""

    @bound(Overload("(self: IExprBuilder, arg0: typing.SupportsInt) -> IDimensionExpr", int64))
    def constant(self, value: int) -> IDimensionExpr:
        """Return the expression of a number."""
        return _expression(_open(self, "constant()"), Constant(value))

    @bound(
        Overload(
            "(self: IExprBuilder, arg0: DimensionOperation, arg1: IDimensionExpr, arg2: IDimensionExpr)"
            " -> IDimensionExpr",
            instance(DimensionOperation),
            _EXPRESSION,
            _EXPRESSION,
        )
    )
    def operation(
        self, kind: DimensionOperation, first: IDimensionExpr, second: IDimensionExpr
    ) -> IDimensionExpr | None:
        """Return the expression of an operation, or ``None`` for an operation that does not exist."""
        generation = _open(self, "operation({})", kind)
        if kind.name not in expression_nodes.ARITHMETIC:
            generation.note(MisuseKind.INVALID_OPERATION, f"operation({kind!r}) gave None")
            return None
        return _expression(
            generation, expression_nodes.operation(kind.name, _operand(generation, first), _operand(generation, second))
        )

    @bound(
        Overload(
            "(self: IExprBuilder, arg0: typing.SupportsInt, arg1: IDimensionExpr, arg2: IDimensionExpr)"
            " -> IDimensionExpr",
            int32,
            _EXPRESSION,
            _EXPRESSION,
        )
    )
    def declare_size_tensor(self, output: int, optimum: IDimensionExpr, upper: IDimensionExpr) -> IDimensionExpr:
        """Return the value of a size tensor, output ``output``; RuntimeError outside a shape query of an IPluginV3."""
        generation = _open(self, "declare_size_tensor()")
        if not generation.sizes:
            what = f"declare_size_tensor({output}) was called in get_output_dimensions of an IPluginV2DynamicExt"
            generation.note(MisuseKind.SIZE_TENSOR, what)
            raise RuntimeError(f"{what}: its output shapes depend on input shapes alone; use an IPluginV3.")
        formula, bound_above = _operand(generation, optimum), _operand(generation, upper)
        if expression_nodes.outputs_sized_by(formula):
            what = f"declare_size_tensor({output}) was given an optimum that depends on a size tensor"
            generation.note(MisuseKind.SIZE_TENSOR, what)
        return _expression(generation, Size(output, formula, bound_above))


class ExprBuilder(IExprBuilder, bound=True, spelled="IExprBuilder"):
    """The builder that the runtime passes to plugins; Python sees an ``IExprBuilder``."""

    def __init__(self, *, sizes: bool = False) -> None:
        initialise(self, ExprBuilder)
        state(self)["_generation"] = Generation(sizes=sizes)

    @property
    def generation(self) -> Generation:
        """The lifetime of this builder and of its expressions."""
        generation: Generation = state(self)["_generation"]
        return generation

    @property
    def misuses(self) -> list[Misuse]:
        """The misuse of this builder and its expressions."""
        return self.generation.misuses

    def close(self) -> None:
        """Close the generation: the call that this builder was lent for has returned."""
        self.generation.alive = False


class DimsExprs(pybind11_object, bound=True):
    """A shape of up to eight expressions; slots that were never assigned hold ``None``."""

    @constructor(
        Overload("(self: DimsExprs) -> None"),
        Overload(
            "(self: DimsExprs, arg0: collections.abc.Sequence[IDimensionExpr]) -> None",
            sequence(optional(_EXPRESSION)),
        ),
        Overload("(self: DimsExprs, arg0: typing.SupportsInt) -> None", int32),
    )
    def __init__(self, dims_or_length: Any = 0) -> None:
        slots = [None] * max(dims_or_length, 0) if isinstance(dims_or_length, int) else dims_or_length
        length = dims_or_length if isinstance(dims_or_length, int) else len(dims_or_length)
        if length > MAX_DIMS:
            raise ValueError(f"Input length {length}. Max expected length is {MAX_DIMS}")
        state(self).update(length=length, slots=slots)

    @bound(Overload("(self: DimsExprs) -> int"))
    def __len__(self) -> int:
        """Return the number of dimensions; for a negative number, which the constructor accepts, ``len`` raises."""
        length: int = state(self)["length"]
        return length

    @bound(Overload("(self: DimsExprs, arg0: typing.SupportsInt) -> IDimensionExpr", int32))
    def __getitem__(self, index: Any) -> IDimensionExpr | None:
        """Return one dimension."""
        held = state(self)
        expression: IDimensionExpr | None = held["slots"][_place(index, held["length"])]
        return expression

    @bound(
        Overload(
            "(self: DimsExprs, arg0: typing.SupportsInt, arg1: IDimensionExpr) -> None",
            int32,
            optional(_EXPRESSION),
        )
    )
    def __setitem__(self, index: Any, expression: Any) -> None:
        """Set one dimension."""
        held = state(self)
        held["slots"][_place(index, held["length"])] = expression


def _place(index: int, length: int) -> int:
    place = index + length if index < 0 else index
    if 0 <= place < length:
        return place
    raise IndexError("Out of bounds")


def _open(builder: IExprBuilder, call: str, *arguments: object) -> Generation:
    generation: Generation | None = state(builder).get("_generation")
    if generation is not None and generation.alive:
        return generation
    what = call.format(*arguments)
    if generation is None:
        raise NativeCrash(
            f"{what} was called on an IExprBuilder made in Python: the genuine bindings crash here. "
            f"Use the expr_builder that TensorRT passes to the shape query."
        )
    generation.note(MisuseKind.CLOSED_BUILDER, f"{what} was called on the builder of an earlier call")
    return generation


def _used(expression: IDimensionExpr) -> Node:
    generation = generation_of(expression)
    if not generation.alive:
        generation.note(MisuseKind.CLOSED_EXPRESSION, f"{describe(expression)} of an earlier call was used")
    return node_of(expression)


def _operand(generation: Generation, expression: IDimensionExpr) -> Node:
    if generation_of(expression) is not generation:
        generation.note(MisuseKind.FOREIGN_EXPRESSION, f"{describe(expression)} of another call was used as an operand")
    return _used(expression)


def _expression(generation: Generation, node: Node) -> IDimensionExpr:
    return holding(IDimensionExpr, {"_node": node, "_generation": generation})


def new_builder(*, sizes: bool = False) -> ExprBuilder:
    """Return a builder for one call of a shape query; close it when the call is over.

    With ``sizes`` it is the builder of an IPluginV3, which can declare size tensors.
    """
    return ExprBuilder(sizes=sizes)


def input_dims(builder: ExprBuilder, tensor: int, dims: Sequence[int]) -> DimsExprs:
    """Return the shape of an input for a plugin: -1 becomes a symbol, every other dimension a constant."""
    extents: list[Node] = [
        Extent(tensor, axis) if extent == -1 else Constant(extent) for axis, extent in enumerate(dims)
    ]
    return _dims(builder, extents)


def value_dims(builder: ExprBuilder, tensor: int, values: Sequence[int | None]) -> DimsExprs:
    """Return the elements of a shape input for a plugin: ``None`` becomes a symbol, others constants."""
    elements: list[Node] = [
        Value(tensor, index) if value is None else Constant(value) for index, value in enumerate(values)
    ]
    return _dims(builder, elements)


def _dims(builder: ExprBuilder, nodes: Sequence[Node]) -> DimsExprs:
    generation = builder.generation
    if len(nodes) > MAX_DIMS:
        raise ValueError(f"Input length {len(nodes)}. Max expected length is {MAX_DIMS}")
    return made(DimsExprs, length=len(nodes), slots=[_expression(generation, node) for node in nodes])


def node_of(expression: IDimensionExpr) -> Node:
    """Return the node behind an expression."""
    node: Node = state(expression)["_node"]
    return node


def generation_of(expression: IDimensionExpr) -> Generation:
    """Return the generation of an expression's builder: one object per builder, to be compared by ``is``."""
    generation: Generation = state(expression)["_generation"]
    return generation


def describe(expression: IDimensionExpr) -> str:
    """Return an expression as text, such as ``SUM(inputs[0][1], 2)``."""
    return expression_nodes.describe(node_of(expression))


def evaluate(
    expression: IDimensionExpr,
    shapes: Sequence[Sequence[int | None]],
    values: Sequence[Sequence[int | None]] = (),
    sizes: Sizes = None,
) -> int:
    """Return the value for given input shapes, shape inputs and sizes; raise `ExpressionError` if there is none."""
    return expression_nodes.evaluate(node_of(expression), shapes, values, sizes)


def to_plain(expression: IDimensionExpr) -> Plain:
    """Return an expression as JSON data."""
    return expression_nodes.to_plain(node_of(expression))
