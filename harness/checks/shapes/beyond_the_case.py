"""Ask for output shapes in equivalent ways, also for ranks and dimensions that the case does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.cases.input import LARGEST, MAX_DIMS
from harness.checks.sampling.sampling import corner_shapes
from harness.checks.shapes.shapes import evaluated, late_uses, network_shapes, output_indices, try_output_dimensions
from harness.contract.finding import NotRun
from reference_runtime.instruments import MisuseKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.cases.case import Case, Shape
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.shapes.shapes import QueryInput, ShapeAnswer
    from harness.subject.subject import Subject

_ALL, _NONE = -1, 0


class Reply(msgspec.Struct, frozen=True):
    """An answer of a plugin, and the output shape that it means for certain input shapes.

    The shape is None if the query failed or the answer cannot be evaluated. It is also None if the plugin read a
    symbolic dimension as a constant. All this is allowed for inputs that its case does not have.
    """

    answer: ShapeAnswer
    shape: Shape | None

    @property
    def uses(self) -> list[str]:
        """Sentences about uses of expressions and builders from other calls."""
        kept = [f"dimension {axis} is {text}, made in an earlier call" for axis, text in self.answer.strays]
        return [*kept, *(f"{use.what}, at {use.where}" for use in late_uses(self.answer.builder))]


class Pair(msgspec.Struct, frozen=True):
    """Two replies that must mean the same shape.

    Attributes:
        one: The first reply.
        other: The second reply.
        shapes: The input shapes for which both are evaluated.
        same: Whether both answer the same question; otherwise some dimensions are symbols in one and numbers in the
            other.
        when: The moment of the second reply, in words.
    """

    one: Reply
    other: Reply
    shapes: Shapes
    same: bool = False
    when: str = ""

    @property
    def is_comparable(self) -> bool:
        """Return whether both replies mean a shape, and at least one shape has only dimensions that TensorRT allows."""
        known = [shape for shape in (self.one.shape, self.other.shape) if shape is not None]
        return len(known) > 1 and any(map(_is_possible, known))

    @property
    def later(self) -> str:
        """The moment of the second reply, or its question, in words."""
        return self.when or f"by {self.other.answer}"

    @property
    def agrees(self) -> bool:
        """Return whether both replies are the same shape."""
        return self.one.shape == self.other.shape


def insist_on_shapes(case: Case, drawn: Sequence[Sequence[int]]) -> Shapes:
    """Return generated shapes as tuples. They need not be in the case's profile.

    Raises:
        NotRun: The plugin has another number of inputs or values, or TensorRT does not allow the shapes.
    """
    shapes = tuple(tuple(shape) for shape in drawn)
    count = len(case.data_inputs)
    sizes = [len(values) for values in shapes[count:]]
    as_many = len(shapes[:count]) == count and sizes == [len(entry.profile[0]) for entry in case.shape_inputs]
    if not as_many or not all(len(shape) <= MAX_DIMS and _is_possible(shape) for shape in shapes[:count]):
        raise NotRun(f"the plugin cannot be asked with the shapes {[list(shape) for shape in shapes]}")
    return shapes


def told_otherwise(subject: Subject, shapes: Shapes, known: int) -> Iterator[Pair]:
    """Ask for each output with symbols only, with some constants, and with constants only; yield pairs with the last.

    The dimensions whose bit is set in ``known`` are constants in the second question.
    """
    plugin = subject.create()
    for index in output_indices(subject, plugin):
        constant = _reply(subject, plugin, index, _passed(subject.case, shapes, _ALL), shapes)
        for bits in dict.fromkeys((_NONE, known)):
            yield Pair(_reply(subject, plugin, index, _passed(subject.case, shapes, bits), shapes), constant, shapes)


def asked_again(subject: Subject, shapes: Shapes) -> Iterator[Pair]:
    """Ask one object the network's question, then one with constants, then the network's again; yield pairs.

    The reply to the question with constants is paired with that of a new object. The two replies to the network's
    question are one pair for each corner of the profile.
    """
    fresh, plugin = subject.create(), subject.create()
    usual, constants = network_shapes(subject), _passed(subject.case, shapes, _ALL)
    for index in output_indices(subject, fresh):
        before, others = (try_output_dimensions(subject, plugin, index, dims) for dims in (usual, constants))
        first = _reply(subject, fresh, index, constants, shapes)
        when = f"after {before}"
        yield Pair(first, Reply(others, _shape_of(others, shapes)), shapes, same=True, when=when)
        after = try_output_dimensions(subject, plugin, index, usual)
        for corner in corner_shapes(subject.case):
            one, other = (Reply(answer, _shape_of(answer, corner)) for answer in (before, after))
            yield Pair(one, other, corner, same=True, when=f"after {others}")


def _reply(subject: Subject, plugin: Any, index: int, dims: Sequence[QueryInput], shapes: Shapes) -> Reply:
    answer = try_output_dimensions(subject, plugin, index, dims)
    return Reply(answer, _shape_of(answer, shapes))


def _shape_of(answer: ShapeAnswer, shapes: Shapes) -> Shape | None:
    if answer.failure is not None or answer.misuses(MisuseKind.NON_CONSTANT_VALUE):
        return None
    try:
        return evaluated(answer, shapes)
    except NotRun:
        return None


def _passed(case: Case, shapes: Shapes, known: int) -> list[QueryInput]:
    """Return the dimensions and values to ask with: constants if the case or ``known`` says so, otherwise symbols.

    Each bit of ``known`` means one dimension, the lowest bit the last; the bits are the same for each input.
    """
    passed: list[QueryInput] = []
    for entry, shape in zip(case.inputs, shapes, strict=True):
        fixed = [False] * len(shape)
        if not entry.shape_input and len(shape) == len(entry.network_dims):  # at another rank all dimensions vary
            fixed = [n == dim for n, dim in zip(shape, entry.network_dims, strict=True)]
        symbol = None if entry.shape_input else -1
        bits = [known >> place & 1 for place in reversed(range(len(shape)))]
        passed.append(
            tuple(n if bit or is_fixed else symbol for n, bit, is_fixed in zip(shape, bits, fixed, strict=True))
        )
    return passed


def _is_possible(shape: Shape) -> bool:
    return all(0 <= extent <= LARGEST for extent in shape)
