"""Ask for shapes of ranks and dimensions beyond the case's, in several equivalent ways."""

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
    from harness.checks.shapes.shapes import ShapeAnswer, Told
    from harness.subject.subject import Subject

_ALL, _NONE = -1, 0


class Reply(msgspec.Struct, frozen=True):
    """A plugin's answer about shapes, and the shape that it means; None if no shape can be required.

    A plugin may refuse what is beyond its case, and may take a dimension there for a constant.
    """

    asked: ShapeAnswer
    shape: Shape | None

    @property
    def uses(self) -> list[str]:
        """Sentences about expressions and builders of other calls."""
        kept = [f"dimension {axis} is {text}, made in an earlier call" for axis, text in self.asked.strays]
        return [*kept, *(f"{use.what}, at {use.where}" for use in late_uses(self.asked.builder))]


class Pair(msgspec.Struct, frozen=True):
    """Two replies that are one shape in a plugin that is sound.

    Attributes:
        same: Whether it was the same question; else dimensions that are symbols in one are constants in the other.
        when: When the second one came.
    """

    one: Reply
    other: Reply
    shapes: Shapes
    same: bool = False
    when: str = ""

    @property
    def is_comparable(self) -> bool:
        """Return whether both ways gave a shape, and TensorRT can have at least one of these."""
        found = [shape for shape in (self.one.shape, self.other.shape) if shape is not None]
        return len(found) > 1 and any(map(_is_possible, found))

    @property
    def later(self) -> str:
        """Describe the moment or the question of the second reply."""
        return self.when or f"by {self.other.asked}"

    @property
    def agrees(self) -> bool:
        """Return whether both replies are the same shape."""
        return self.one.shape == self.other.shape


def insist_on_shapes(case: Case, drawn: Sequence[Sequence[int]]) -> Shapes:
    """Return shapes that the case's plugin can be asked with, be they within its profile or not.

    Raises:
        NotRun: They are not as many as the inputs, or no shapes of TensorRT.
    """
    shapes = tuple(tuple(shape) for shape in drawn)
    count = len(case.data_inputs)
    sizes = [len(values) for values in shapes[count:]]
    as_many = len(shapes[:count]) == count and sizes == [len(entry.profile[0]) for entry in case.shape_inputs]
    if not as_many or not all(len(shape) <= MAX_DIMS and _is_possible(shape) for shape in shapes[:count]):
        raise NotRun(f"the plugin cannot be asked with the shapes {[list(shape) for shape in shapes]}")
    return shapes


def told_otherwise(subject: Subject, shapes: Shapes, known: int) -> Iterator[Pair]:
    """Ask with symbols, and with constants where ``known`` has a bit set; each beside constants alone."""
    plugin = subject.create()
    for index in output_indices(subject, plugin):
        constant = _reply(subject, plugin, index, _told(subject.case, shapes, _ALL), shapes)
        for bits in dict.fromkeys((_NONE, known)):
            yield Pair(_reply(subject, plugin, index, _told(subject.case, shapes, bits), shapes), constant, shapes)


def asked_again(subject: Subject, shapes: Shapes) -> Iterator[Pair]:
    """Ask one object the network's question, then others, then the first again; each beside what was said first."""
    fresh, plugin = subject.create(), subject.create()
    usual, told = network_shapes(subject), _told(subject.case, shapes, _ALL)
    for index in output_indices(subject, fresh):
        before, others = (try_output_dimensions(subject, plugin, index, dims) for dims in (usual, told))
        first = _reply(subject, fresh, index, told, shapes)
        when = f"after {before}"
        yield Pair(first, Reply(others, _shape_of(others, shapes)), shapes, same=True, when=when)
        after = try_output_dimensions(subject, plugin, index, usual)
        for corner in corner_shapes(subject.case):
            one, other = (Reply(asked, _shape_of(asked, corner)) for asked in (before, after))
            yield Pair(one, other, corner, same=True, when=f"after {others}")


def _reply(subject: Subject, plugin: Any, index: int, told: Sequence[Told], shapes: Shapes) -> Reply:
    asked = try_output_dimensions(subject, plugin, index, told)
    return Reply(asked, _shape_of(asked, shapes))


def _shape_of(asked: ShapeAnswer, shapes: Shapes) -> Shape | None:
    if asked.failure is not None or asked.misuses(MisuseKind.NON_CONSTANT_VALUE):
        return None
    try:
        return evaluated(asked, shapes)
    except NotRun:
        return None


def _told(case: Case, shapes: Shapes, known: int) -> list[Told]:
    """Return dimensions and values as the plugin gets them: symbols unless ``known`` or the case has a constant."""
    told: list[Told] = []
    for entry, shape in zip(case.inputs, shapes, strict=True):
        fixed = [False] * len(shape)
        if not entry.shape_input and len(shape) == len(entry.network_dims):  # at another rank all dimensions vary
            fixed = [n == dim for n, dim in zip(shape, entry.network_dims, strict=True)]
        symbol = None if entry.shape_input else -1
        bits = [known >> place & 1 for place in reversed(range(len(shape)))]
        told.append(tuple(n if bit or its else symbol for n, bit, its in zip(shape, bits, fixed, strict=True)))
    return told


def _is_possible(shape: Shape) -> bool:
    return all(0 <= extent <= LARGEST for extent in shape)
