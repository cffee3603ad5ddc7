"""Compute the dimensions of tensors, and the values of shape tensors, from those of the inputs, layer by layer.

Theory. Each layer has a rule, which computes the facts of its outputs from the facts of its inputs. A plugin's rule
consists of its expressions; the rule of any other layer is its operation. Only results that depend on an unknown are
unknown. A dimension that depends on data is unknown until the plugin has run. A profile uses the sizes that the plugin
declared. They may not match another tensor (a broadcast with a fixed dimension) although the real size does. So a layer
is refused only if the dimensions of its outputs are not known without the declared sizes either.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from reference_runtime.bound.errors import ExpressionError
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.shapes.expression_nodes import Node
    from reference_runtime.shapes.tensor_facts import Values
    from reference_runtime.values.descriptions import Extents, Range

K = TypeVar("K", bound=Hashable)
K_co = TypeVar("K_co", bound=Hashable, covariant=True)
Sizes: TypeAlias = "Mapping[int, int] | Literal['least', 'optimum', 'upper'] | None"
"""The data-dependent sizes, by output; or which declared sizes to use; or None if they are unknown."""


class Inference(Protocol):
    """An operation, which computes the facts of its outputs from those of its inputs."""

    def infer(self, inputs: Sequence[ValueFacts]) -> Sequence[ValueFacts]:
        """Return the facts of the outputs, or raise `Refused`."""
        ...


class ExtentRule(Protocol[K_co]):
    """Computes a layer's outputs from its inputs; each tensor has a key."""

    @property
    def layer(self) -> str:
        """The layer's name, for messages."""
        ...

    @property
    def inputs(self) -> Sequence[K_co]:
        """The tensors whose facts the rule reads."""
        ...

    @property
    def shape_inputs(self) -> Sequence[K_co]:
        """The tensors whose values the rule reads, after the inputs."""
        ...

    @property
    def outputs(self) -> Sequence[K_co]:
        """The tensors whose facts the rule returns."""
        ...

    def infer(self, inputs: Sequence[ValueFacts], sizes: Sizes = None) -> list[ValueFacts]:
        """Return the facts of the outputs, or raise `Refused`."""
        ...


class OperationRule(Struct, Generic[K], frozen=True):
    """The rule of a layer that runs no plugin."""

    layer: str
    inputs: Sequence[K]
    outputs: Sequence[K]
    operation: Inference
    shape_inputs: Sequence[K] = ()

    def infer(self, inputs: Sequence[ValueFacts], sizes: Sizes = None) -> list[ValueFacts]:  # noqa: ARG002 - data decide none
        """Return the facts of the outputs, or raise `Refused`."""
        try:
            return list(self.operation.infer(inputs))
        except Refused as refused:
            raise Refused(f"{self.layer}: {refused}", refused.reason) from refused


class ShapeRule(Struct, Generic[K], frozen=True):
    """The rule of a plugin: for each output the expressions of its dimensions."""

    layer: str
    inputs: Sequence[K]
    outputs: Sequence[K]
    shapes: Sequence[Sequence[Node]]
    shape_inputs: Sequence[K] = ()

    def infer(self, inputs: Sequence[ValueFacts], sizes: Sizes = None) -> list[ValueFacts]:
        """Return the facts of the outputs, or raise `Refused`; a plugin's outputs have no values."""
        known_inputs = _Inputs(
            [
                tuple(None if extent == UNKNOWN else extent for extent in facts.dims)
                for facts in inputs[: len(self.inputs)]
            ],
            [facts.values for facts in inputs[len(self.inputs) :]],
        )
        return [
            _output(f"{self.layer}: output {place}", shape, known_inputs, sizes)
            for place, shape in enumerate(self.shapes)
        ]


class _Inputs(Struct, frozen=True):
    """The values for a plugin's expressions; None is unknown."""

    dims: Sequence[Values]
    values: Sequence[Values | None]

    def lacks(self, leaf: Node, sizes: Sizes) -> bool:
        """Return whether a leaf of an expression has no value yet."""
        if isinstance(leaf, expression_nodes.Size):
            return sizes is None or (isinstance(sizes, Mapping) and leaf.output not in sizes)
        if isinstance(leaf, expression_nodes.Value):
            values = self.values[leaf.tensor] if leaf.tensor < len(self.values) else ()
            return values is None or (leaf.index < len(values) and values[leaf.index] is None)
        if isinstance(leaf, expression_nodes.Extent) and leaf.tensor < len(self.dims):
            dims = self.dims[leaf.tensor]
            return leaf.axis < len(dims) and dims[leaf.axis] is None
        return False


def known(shape: Sequence[Node]) -> Extents:
    """Return the dimensions as a network shows them: -1 for each that is not constant."""
    return tuple(node.value if isinstance(node, expression_nodes.Constant) else UNKNOWN for node in shape)


def propagate(
    rules: Sequence[ExtentRule[K]], facts: Mapping[K, ValueFacts], sizes: Sizes = None
) -> dict[K, ValueFacts]:
    """Return the facts of every tensor for those of the inputs; raise `Refused` for a layer with invalid inputs.

    Negative dimensions are refused except in bounds.
    """
    all_facts = dict(facts)
    unsized: dict[K, ValueFacts] = {}
    for rule in rules:
        inputs = [all_facts[key] for key in (*rule.inputs, *rule.shape_inputs)]
        try:
            outputs = rule.infer(inputs, sizes)
        except Refused:
            if not isinstance(sizes, str):
                raise
            unsized = unsized or propagate(rules, facts)
            outputs = [unsized[key] for key in rule.outputs]
            if not all(one.settled for one in outputs):
                raise
        all_facts.update(zip(rule.outputs, outputs, strict=True))
    return all_facts


def bounded(rules: Sequence[ExtentRule[K]], facts: Mapping[K, ValueFacts]) -> dict[K, ValueFacts]:
    """Return the facts of every tensor for those of the inputs, with bounds on dimensions that depend on data."""
    all_facts = propagate(rules, facts)
    if all(one.most is None for one in all_facts.values()):
        return all_facts
    points = [propagate(rules, facts, sizes) for sizes in _POINTS]
    most = {key: _over([point[key] for point in points])[2] for key, one in all_facts.items() if not one.settled}
    return {key: replace(one, most=most.get(key)) for key, one in all_facts.items()}


def spread(
    rules: Sequence[ExtentRule[K]],
    ranges: Mapping[K, Range],
    values: Mapping[K, tuple[Values, Values, Values]] | None = None,
) -> dict[K, Range]:
    """Return the minimum, optimum and maximum dimensions of every tensor in a profile.

    ``values`` are the bounds of the shape inputs' values. An expression may decrease while its inputs increase. So it
    is evaluated at the minimum, optimum and maximum of the inputs, and the least and greatest results count. The
    optimum dimensions are those of the optimum inputs. Minimum and maximum may be negative, because no execution has to
    use them.
    """
    points = []
    shaping = values or {}
    for place, sizes in enumerate(_POINTS):
        inputs = {
            key: ValueFacts(extents[place], shaping[key][place] if key in shaping else None)
            for key, extents in ranges.items()
        }
        points.append(propagate(rules, inputs, sizes))
    return {key: _over([point[key] for point in points]) for key in points[0]}


_POINTS: tuple[Literal["least", "optimum", "upper"], ...] = ("least", "optimum", "upper")
_BOUNDS: tuple[Literal["least", "upper"], ...] = ("least", "upper")
"""The points at which a dimension may be negative: no execution needs them, and NVIDIA's builder accepts them."""


def _over(points: Sequence[ValueFacts]) -> Range:
    return (
        tuple(min(extents) for extents in zip(*(point.dims for point in points), strict=True)),
        points[1].dims,
        tuple(max(extents) for extents in zip(*(point.bound for point in points), strict=True)),
    )


def _output(what: str, shape: Sequence[Node], inputs: _Inputs, sizes: Sizes) -> ValueFacts:
    extents = _extents(what, shape, inputs, sizes)
    if sizes is None and any(expression_nodes.outputs_sized_by(node) for node in shape):
        return ValueFacts(extents, most=_extents(what, shape, inputs, "upper"))
    return ValueFacts(extents)


def _extents(what: str, shape: Sequence[Node], inputs: _Inputs, sizes: Sizes) -> Extents:
    extents = [_extent(what, node, inputs, sizes) for node in shape]
    if sizes not in _BOUNDS and any(extent is not None and extent < 0 for extent in extents):
        shown = ", ".join(_shown(dims) for dims in inputs.dims)
        raise Refused(f"{what} would have the shape {_shown(extents)} for inputs {shown}", Reason.NETWORK)
    return tuple(UNKNOWN if extent is None else extent for extent in extents)


def _extent(what: str, node: Node, inputs: _Inputs, sizes: Sizes) -> int | None:
    """Return a dimension's value, or None if it depends on an unknown."""
    if isinstance(node, expression_nodes.Constant):
        return node.value
    leaves = expression_nodes.in_order(node)
    if any(inputs.lacks(leaf, sizes) for leaf in leaves):
        return None
    try:
        if sizes == "least":
            least = {leaf.output: 0 for leaf in leaves if isinstance(leaf, expression_nodes.Size)}
            return expression_nodes.evaluate(node, inputs.dims, _input_values(inputs), least)
        return expression_nodes.evaluate(node, inputs.dims, _input_values(inputs), sizes)
    except ExpressionError as error:
        raise Refused(f"the shape of {what} has no value: {error}", Reason.NETWORK) from error


def _input_values(inputs: _Inputs) -> list[Values]:
    return [values or () for values in inputs.values]


def _shown(extents: Sequence[int | None]) -> str:
    return str(["?" if extent is None else extent for extent in extents]).replace("'", "")
