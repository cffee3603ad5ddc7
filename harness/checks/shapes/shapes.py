"""Ask a plugin for its output shapes, as expressions or for concrete dimensions, and evaluate the answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from harness.checks.observation.telling import text_of
from harness.checks.sampling.sampling import corner_shapes
from harness.checks.shapes.stated_shape import StatedShape
from harness.contract.finding import NotRun
from harness.contract.interface import MADE_AS_V3
from harness.subject.calling import leniently, raise_for, stop_for_want_of_a_gpu, strictly
from reference_runtime.instruments import ExpressionError, MisuseKind, NativeCrash
from reference_runtime.shapes import expression_nodes, expressions
from reference_runtime.shapes.expression_nodes import Constant

__all__ = [
    "MisuseKind",
    "ShapeAnswer",
    "allocatable",
    "ask_output_dimensions",
    "asked_dims",
    "bound_of",
    "constant_shape",
    "evaluated",
    "known_dims",
    "late_uses",
    "network_answers",
    "network_dims",
    "network_plugin",
    "network_shapes",
    "output_indices",
    "plain",
    "question_of",
    "sizing_outputs",
    "try_output_dimensions",
    "undecided",
    "usual_answers",
]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Shape
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure
    from reference_runtime.instruments import Misuse
    from reference_runtime.shapes.expression_nodes import Node, Sizes

    #: An answer, or the shape that it states.
    Stated: TypeAlias = "ShapeAnswer | StatedShape"
    #: One input of a query for a shape: its dimensions, with -1 for a symbol, or a shape input's values, with None.
    QueryInput = Sequence[Any]


class ShapeAnswer(msgspec.Struct, frozen=True):
    """One answer of ``get_output_dimensions``.

    Attributes:
        query: The name of the callback.
        index: The index of the output.
        dims: The dimensions in the query, with -1 for a symbol, then the values of shape inputs, with None.
        answer: The returned ``DimsExprs``.
        builder: The ``IExprBuilder`` of the query. It is closed, because TensorRT destroys it after the call.
        inputs: The ``DimsExprs`` of the data inputs that the plugin received.
        before: The expressions of all inputs before the call, as plain data.
        failure: How the call failed, or None. After a failure the answer has no dimensions.
        shape_inputs: The ``DimsExprs`` of the shape inputs that the plugin received.
    """

    query: str
    index: int
    dims: tuple[QueryInput, ...]
    answer: Any
    builder: Any
    inputs: tuple[Any, ...]
    before: tuple[Any, ...]
    failure: Failure | None = None
    shape_inputs: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return _question(self.query, self.index, self.dims, len(self.inputs))

    @property
    def rank(self) -> int:
        """The number of dimensions of the answer. It can be negative: the bindings do not check it."""
        return int(self.answer.__len__())

    @property
    def expressions(self) -> list[Any]:
        """The answer's dimensions; None for an empty slot."""
        return [self.answer[axis] for axis in range(self.rank)]

    @property
    def strays(self) -> list[tuple[int, str]]:
        """Axis and text of each dimension that is an expression of another call."""
        own = self.builder.generation
        exprs = [(axis, expr) for axis, expr in enumerate(self.expressions) if expr is not None]
        return [
            (axis, expressions.describe(expr)) for axis, expr in exprs if expressions.generation_of(expr) is not own
        ]

    @property
    def edited(self) -> list[tuple[str, str, str]]:
        """Place, old text and new text of each dimension of an input that the plugin replaced."""
        places = [f"inputs[{tensor}]" for tensor in range(len(self.inputs))]
        places += [f"shape_inputs[{tensor}]" for tensor in range(len(self.shape_inputs))]
        after = map(plain, (*self.inputs, *self.shape_inputs))
        return [
            (f"{place}[{axis}]", str(old), str(new))
            for place, was, now in zip(places, self.before, after, strict=True)
            for axis, (old, new) in enumerate(zip(was, now, strict=True))
            if old != new
        ]

    @property
    def misfit(self) -> str:
        """The failure of the call if an argument was no expression, or one that crashes TensorRT; otherwise empty."""
        error = self.failure.error if self.failure else None
        text = re.sub(r" at 0x[0-9A-Fa-f]+", "", text_of(error))
        if isinstance(error, NativeCrash):
            return text
        if not isinstance(error, TypeError):
            return ""
        refused, _, arguments = text.partition("Invoked with: ")
        if not arguments:  # an error of Python itself, such as that of an expression plus an int
            return text if "IDimensionExpr" in text else ""
        called = refused.partition(":")[0]
        takes_expressions = "IDimensionExpr" in refused and called != "constant()"
        return f"{called} was called with {arguments}" if takes_expressions or "IDimensionExpr" in arguments else ""

    @property
    def nodes(self) -> tuple[Node | None, ...]:
        """The answer's dimensions as plain data."""
        return tuple(None if expr is None else expressions.node_of(expr) for expr in self.expressions)

    @property
    def stated(self) -> StatedShape:
        """The stated shape as plain data, which can be stored."""
        return StatedShape(self.index, self.nodes, len(self.inputs))

    def value_of(self, node: Node, shapes: Sequence[Shape], sizes: Sizes = None) -> int:
        """Return the value of an expression as :meth:`StatedShape.value_of` does."""
        return self.stated.value_of(node, shapes, sizes)

    def misuses(self, *kinds: MisuseKind) -> list[Misuse]:
        """Return the misuses of the builder and its expressions so far that are of these kinds."""
        return [misuse for misuse in self.builder.misuses if misuse.kind in kinds]


def ask_output_dimensions(
    subject: Subject, plugin: Any, index: int, dims: Sequence[QueryInput] | None = None
) -> ShapeAnswer:
    """Ask for one output's dimensions with a separate builder.

    ``dims`` has the dimensions of data inputs, with -1 for a symbol. Then come the values of shape inputs, with None
    for a symbol. By default they are those known at network creation.

    Raises:
        CallbackFailedError: ``get_output_dimensions`` failed.
    """
    answer = try_output_dimensions(subject, plugin, index, dims)
    if answer.failure is not None:
        raise_for(answer.failure)
    return answer


def try_output_dimensions(
    subject: Subject, plugin: Any, index: int, dims: Sequence[QueryInput] | None = None
) -> ShapeAnswer:
    """Ask as :func:`ask_output_dimensions` does, but record a failure in the answer."""
    dims = tuple(map(tuple, network_shapes(subject) if dims is None else dims))
    count = len(subject.case.data_inputs)
    builder = expressions.new_builder(sizes=subject.interface in MADE_AS_V3)
    inputs = tuple(expressions.input_dims(builder, i, extents) for i, extents in enumerate(dims[:count]))
    values = tuple(expressions.value_dims(builder, i, elements) for i, elements in enumerate(dims[count:]))
    before = tuple(plain(exprs) for exprs in (*inputs, *values))
    with leniently(subject.gate) as failures:
        answer = subject.caller.output_shape(subject.gate, plugin, index, (list(inputs), list(values)), builder)
    builder.close()
    failure = failures[0] if failures else None
    if failure is not None:
        stop_for_want_of_a_gpu(failure)
    query = subject.caller.words.output_shapes
    return ShapeAnswer(query, index, dims, answer, builder, inputs, before, failure, values)


def network_plugin(subject: Subject) -> tuple[Any, list[ShapeAnswer]]:
    """Return a new plugin, and its answers about all outputs for the network's dimensions. Done once in a rule.

    Raises:
        CallbackFailedError: A callback failed.
    """

    def ask() -> tuple[Any, list[ShapeAnswer]]:
        plugin = subject.create()
        return plugin, [ask_output_dimensions(subject, plugin, index) for index in output_indices(subject, plugin)]

    return subject.once("network plugin", ask)


def network_answers(subject: Subject, plugin: Any) -> list[StatedShape]:
    """Return the shapes of all outputs that a plugin states for the network's dimensions.

    Empty if the plugin does not say how many outputs it has.

    Raises:
        CallbackFailedError: ``get_output_dimensions`` failed.
    """
    count = subject.caller.num_outputs(subject.gate, plugin)
    return [ask_output_dimensions(subject, plugin, index).stated for index in range(count)]


def usual_answers(subject: Subject) -> list[StatedShape]:
    """Return the shapes that :func:`network_answers` returns for a new object, which is asked once in a process.

    Raises:
        CallbackFailedError: A callback failed.
    """
    return subject.known("output shapes", lambda: network_answers(subject, subject.create()))


def constant_shape(subject: Subject, plugin: Any, index: int, shapes: Sequence[Shape]) -> Shape:
    """Return the shape of an output that the plugin states if all input dimensions are constants.

    Raises:
        CallbackFailedError: The callback failed.
        NotRun: The answer cannot be evaluated.
    """
    return evaluated(ask_output_dimensions(subject, plugin, index, shapes), shapes)


def late_uses(builder: Any) -> list[Misuse]:
    """Return the uses of a builder or its expressions after the call, or in another call."""
    late = {MisuseKind.CLOSED_BUILDER, MisuseKind.CLOSED_EXPRESSION, MisuseKind.FOREIGN_EXPRESSION}
    return [misuse for misuse in builder.misuses if misuse.kind in late]


def output_indices(subject: Subject, plugin: Any) -> range:
    """Return the indices of the plugin's outputs.

    Raises:
        CallbackFailedError: The query for their number failed, for example because ``num_outputs`` was never assigned.
    """
    with strictly(subject.gate):
        return range(subject.caller.num_outputs(subject.gate, plugin))


def question_of(subject: Subject, index: int, dims: Sequence[QueryInput]) -> str:
    """Return a question as text: ``get_output_dimensions(0) with inputs [[-1, 3]]``."""
    return _question(subject.caller.words.output_shapes, index, dims, len(subject.case.data_inputs))


def _question(query: str, index: int, dims: Sequence[QueryInput], inputs: int) -> str:
    text = f"{query}({index}) with inputs {[list(extents) for extents in dims[:inputs]]}"
    values = [list(elements) for elements in dims[inputs:]]
    return f"{text} and shape inputs {values}" if values else text


def asked_dims(subject: Subject) -> list[Sequence[QueryInput]]:
    """Return input dimensions to ask with: those known at network creation, then constants at the profile's corners."""
    return [network_shapes(subject), *corner_shapes(subject.case)]


def network_dims(subject: Subject) -> list[Shape]:
    """Return the data inputs' dimensions at network creation, -1 for a dynamic dimension."""
    return [entry.network_dims for entry in subject.case.data_inputs]


def network_shapes(subject: Subject) -> list[QueryInput]:
    """Return :func:`network_dims`, then the values of the shape inputs, all unknown (None)."""
    unknown = [(None,) * len(entry.profile[0]) for entry in subject.case.shape_inputs]
    return [*network_dims(subject), *unknown]


def plain(exprs: Any) -> list[Any]:
    """Return the dimensions of a ``DimsExprs`` as data that can be compared; None for an empty slot."""
    return [None if expr is None else expressions.to_plain(expr) for expr in exprs]


def evaluated(answer: Stated, shapes: Sequence[Shape], sizes: Sizes = "upper") -> Shape:
    """Return the concrete output shape for input shapes.

    ``sizes`` has the values of size tensors by the index of their output; "upper" means their declared upper bounds.

    Raises:
        NotRun: A slot is empty or an expression has no value, such as a division by zero. Other rules report that.
    """
    nodes = [node for node in answer.nodes if node is not None]
    if len(nodes) < len(answer.nodes):
        raise NotRun(f"the shape of output {answer.index} has a slot without an expression")
    try:
        return tuple(answer.value_of(node, shapes, sizes) for node in nodes)
    except ExpressionError as error:
        raise NotRun(f"the shape of output {answer.index} cannot be evaluated at {list(shapes)}: {error}") from error


def known_dims(answer: Stated) -> Shape:
    """Return the output's dimensions: constants, and -1 for all others."""
    return tuple(node.value if isinstance(node, Constant) else -1 for node in answer.nodes)


def sizing_outputs(answer: Stated) -> set[int]:
    """Return the indices of the outputs that are size tensors of this shape."""
    return {output for node in answer.nodes if node is not None for output in expression_nodes.outputs_sized_by(node)}


def bound_of(answer: Stated, output: int, shapes: Sequence[Shape]) -> int | None:
    """Return the declared upper bound of the size tensor ``output``; None if the shape does not use it."""
    for root in answer.nodes:
        for node in expression_nodes.in_order(root) if root is not None else ():
            if isinstance(node, expression_nodes.Size) and node.output == output:
                return answer.value_of(node.upper, shapes)
    return None


def undecided(answer: Stated, shape: Shape) -> Shape:
    """Return a shape with -1 in place of each data-dependent dimension."""
    free = [node is not None and bool(expression_nodes.outputs_sized_by(node)) for node in answer.nodes]
    return tuple(-1 if unknown else extent for unknown, extent in zip(free, shape, strict=True))


def allocatable(answer: Stated, shapes: Sequence[Shape]) -> Shape:
    """Return the concrete output shape for input shapes, without negative dimensions.

    Raises:
        NotRun: The expressions cannot be evaluated, or a dimension is negative.
    """
    shape = evaluated(answer, shapes)
    if any(extent < 0 for extent in shape):
        raise NotRun(f"output {answer.index} has shape {shape} at {list(shapes)}")
    return shape
