"""Represent dimension expressions as values: their arithmetic, their evaluation, and their form in a plan.

Theory. A node is a constant, an input's dimension, a shape input's element, or a size tensor's value. Or it is an
operation on two nodes. Nodes are shared and never change, so an expression is a graph without cycles. Loops walk it
instead of recursive functions, because a plugin may build an expression of any depth. Division rounds towards minus
infinity (FLOOR_DIV) or plus infinity (CEIL_DIV). EQUAL and LESS are 0 or 1, and every value must fit in 64 bits.

The plugin writes the value of a size tensor into that output while it runs. Until then an expression with a size tensor
is evaluated for the declared optimum or upper bound.

In a plan an expression is an integer, or the list of its nodes, operands first. A node is an integer, a ``["INPUT",
tensor, axis]`` or a ``["VALUE", shape input, index]``. Or it is an operation with the positions of its operands, as in
``["SUM", 0, 1]``. Or it is a ``["SIZE", output, optimum, upper]`` with the positions of its bounds. The last node is
the expression.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

from reference_runtime.bound.errors import ExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SENTINEL = -(2**63)
"""The smallest value of 64 bits. From TensorRT 10 on it is the constant value of an expression that is not constant."""

_INPUT = "INPUT"
_VALUE = "VALUE"
_SIZE = "SIZE"


class Constant(Struct, frozen=True):
    """A number."""

    value: int


class Extent(Struct, frozen=True):
    """The dimension of an input tensor along one axis."""

    tensor: int
    axis: int


class Value(Struct, frozen=True):
    """An element of a shape input; ``tensor`` is its index among the shape inputs alone."""

    tensor: int
    index: int


class Size(Struct, frozen=True, eq=False):
    """The value of the size tensor at an output, and the optimum and upper bound declared with it."""

    output: int
    optimum: Node
    upper: Node


class Operation(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """An operation on two nodes."""

    kind: str
    first: Node
    second: Node

    @functools.cached_property
    def parts(self) -> list[Node]:
        """The nodes of both operands, each once, operands first; computed at the first use."""
        return _ordered(self, _operands)[:-1]


Node: TypeAlias = "Constant | Extent | Value | Size | Operation"
Plain: TypeAlias = "int | list[Any]"
Sizes: TypeAlias = "Mapping[int, int] | Literal['optimum', 'upper'] | None"
"""The values of size tensors: read values by output, or one of the declared bounds, or None if unknown."""


def _floor_div(first: int, second: int) -> int:
    if second == 0:
        raise ExpressionError("a dimension expression divides by zero")
    return first // second


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "SUM": operator.add,
    "PROD": operator.mul,
    "MAX": max,
    "MIN": min,
    "SUB": operator.sub,
    "EQUAL": lambda first, second: int(first == second),
    "LESS": lambda first, second: int(first < second),
    "FLOOR_DIV": _floor_div,
    "CEIL_DIV": lambda first, second: -_floor_div(-first, second),
}


def compute(kind: str, first: int, second: int) -> int:
    """Return the value of one operation; raise `ExpressionError` for a division by zero or more than 64 bits."""
    value = ARITHMETIC[kind](first, second)
    if not SENTINEL <= value < -SENTINEL:
        raise ExpressionError(f"{kind} of {first} and {second} does not fit 64 bits")
    return value


def operation(kind: str, first: Node, second: Node) -> Node:
    """Return the node of an operation; if both operands are constants and the result has a value, a constant."""
    if isinstance(first, Constant) and isinstance(second, Constant):
        try:
            return Constant(compute(kind, first.value, second.value))
        except ExpressionError:
            return Operation(kind, first, second)
    return Operation(kind, first, second)


def in_order(root: Node) -> list[Node]:
    """Return the nodes of an expression, each once, operands before their operation."""
    if isinstance(root, Operation):
        return [*root.parts, root]
    return _ordered(root, _operands) if isinstance(root, Size) else [root]


def _operands(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Operation):
        return (node.first, node.second)
    return (node.optimum, node.upper) if isinstance(node, Size) else ()


def _ordered(root: Node, operands: Callable[[Node], tuple[Node, ...]]) -> list[Node]:
    ordered: list[Node] = []
    done: set[int] = set()
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, operands_done = pending.pop()
        if id(node) in done:
            continue
        needed = () if operands_done else operands(node)
        if needed:
            pending += [(node, True), *[(operand, False) for operand in reversed(needed)]]
        else:
            done.add(id(node))
            ordered.append(node)
    return ordered


def outputs_sized_by(root: Node) -> set[int]:
    """Return the numbers of the outputs that are size tensors in an expression."""
    return {node.output for node in in_order(root) if isinstance(node, Size)}


def is_computed_from_a_size(root: Node) -> bool:
    """Say whether an expression has arithmetic with a size tensor, or a size tensor in an optimum or bound."""
    if isinstance(root, Size):
        return bool(outputs_sized_by(root.optimum) or outputs_sized_by(root.upper))
    return bool(outputs_sized_by(root))


def evaluate(
    root: Node,
    shapes: Sequence[Sequence[int | None]],
    values: Sequence[Sequence[int | None]] = (),
    sizes: Sizes = None,
) -> int:
    """Return the value of an expression for shapes of inputs, values of shape inputs and sizes; None is unknown.

    Raises:
        ExpressionError: A value is unknown, a division is by zero, or a result does not fit in 64 bits.
    """
    results: dict[int, int] = {}
    if not isinstance(root, (Operation, Size)):  # nearly every dimension
        return _value(root, results, shapes, values, sizes)
    for node in _steps(root, sizes):
        results[id(node)] = _value(node, results, shapes, values, sizes)
    return results[id(root)]


def _steps(root: Node, sizes: Sizes) -> list[Node]:
    """Return the nodes to evaluate, in order."""
    nodes = in_order(root)
    if any(isinstance(node, Size) for node in nodes):  # at most one of its bounds is needed
        return _ordered(root, lambda node: _needed(node, sizes))
    return nodes


def _needed(node: Node, sizes: Sizes) -> tuple[Node, ...]:
    """Return the operands that a node's value depends on; for a size tensor, at most one of its bounds."""
    if isinstance(node, Size):
        return {"optimum": (node.optimum,), "upper": (node.upper,)}[sizes] if isinstance(sizes, str) else ()
    return _operands(node)


def _value(
    node: Node,
    results: dict[int, int],
    shapes: Sequence[Sequence[int | None]],
    values: Sequence[Sequence[int | None]],
    sizes: Sizes,
) -> int:
    if isinstance(node, Constant):
        return node.value
    if isinstance(node, Operation):
        return compute(node.kind, results[id(node.first)], results[id(node.second)])
    value: int | None
    if isinstance(node, Extent):
        value = _element(shapes, node.tensor, node.axis)
    elif isinstance(node, Value):
        value = _element(values, node.tensor, node.index)
    elif isinstance(sizes, Mapping):
        value = sizes.get(node.output)
    else:
        value = next((results[id(bound)] for bound in _needed(node, sizes)), None)
    if value is None:
        raise ExpressionError(f"{describe(node)} is needed and was not given")
    return value


def _element(items: Sequence[Sequence[int | None]], tensor: int, place: int) -> int | None:
    try:
        return items[tensor][place]
    except IndexError:
        return None


def describe(root: Node) -> str:
    """Return an expression as text; a large operation is shown without its operands."""
    if isinstance(root, Constant):
        return str(root.value)
    if isinstance(root, Extent):
        return f"inputs[{root.tensor}][{root.axis}]"
    if isinstance(root, Value):
        return f"shape_inputs[{root.tensor}][{root.index}]"
    if isinstance(root, Size):
        return f"the value of output {root.output}"
    if len(in_order(root)) > _LARGEST_SHOWN:
        return f"{root.kind}(...)"
    return f"{root.kind}({describe(root.first)}, {describe(root.second)})"


_LARGEST_SHOWN = 20


def to_plain(root: Node) -> Plain:
    """Return an expression as JSON data."""
    if isinstance(root, Constant):
        return root.value
    nodes = in_order(root)
    places = {id(node): place for place, node in enumerate(nodes)}
    return [_node_to_plain(node, places) for node in nodes]


def _node_to_plain(node: Node, places: dict[int, int]) -> Plain:
    if isinstance(node, Constant):
        return node.value
    if isinstance(node, Extent):
        return [_INPUT, node.tensor, node.axis]
    if isinstance(node, Value):
        return [_VALUE, node.tensor, node.index]
    if isinstance(node, Size):
        return [_SIZE, node.output, places[id(node.optimum)], places[id(node.upper)]]
    return [node.kind, places[id(node.first)], places[id(node.second)]]


def from_plain(data: object) -> Node:
    """Return the expression that ``to_plain`` wrote; raise `ExpressionError` for other data."""
    if isinstance(data, int):
        return _node_from_plain(data, [])
    if not isinstance(data, list) or not data:
        raise ExpressionError(f"a dimension expression is an integer or a list of nodes, and not {data!r:.80}")
    nodes: list[Node] = []
    for item in data:
        nodes.append(_node_from_plain(item, nodes))
    return nodes[-1]


def _node_from_plain(item: object, earlier: list[Node]) -> Node:
    match item:
        case bool():
            pass
        case int() if SENTINEL <= item < -SENTINEL:
            return Constant(item)
        case [str(kind), int(first), int(second)] if first >= 0 and second >= 0:
            if kind == _INPUT:
                return Extent(first, second)
            if kind == _VALUE:
                return Value(first, second)
            if kind in ARITHMETIC and max(first, second) < len(earlier):
                return Operation(kind, earlier[first], earlier[second])
        case [str(kind), int(output), int(first), int(second)] if min(output, first, second) >= 0:
            if kind == _SIZE and max(first, second) < len(earlier):
                return Size(output, earlier[first], earlier[second])
        case _:
            pass
    raise ExpressionError(f"{item!r:.80} is no node of a dimension expression")
