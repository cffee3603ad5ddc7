"""Describe the inputs and outputs of a driven plugin: their shapes, descriptions and data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.formats.aliasing import aliases_of
from harness.checks.sampling.data import draw_inputs
from harness.checks.sampling.sampling import shapes_at
from harness.checks.sampling.scales import has_scales, int8_scale
from harness.checks.shapes.batches import batch_of, copied_inputs
from harness.checks.shapes.shapes import (
    allocatable,
    bound_of,
    evaluated,
    network_answers,
    network_dims,
    sizing_outputs,
    undecided,
    usual_answers,
)
from harness.contract.finding import NotRun
from reference_runtime.values import formats
from reference_runtime.values.descriptions import NO_SCALE, Bounds, Description

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from harness.cases.case import Shape
    from harness.checks.formats.formats import Combination
    from harness.checks.shapes.stated_shape import StatedShape
    from harness.subject.subject import Subject

    Descriptions = tuple[list[Description], list[Description]]


class Tensors:
    """Descriptions of a plugin's inputs and outputs in one combination of types and formats.

    Attributes:
        combination: The types and formats.
        expressions: The shapes of the outputs that the plugin states, after the first query; None before.
    """

    def __init__(
        self, subject: Subject, combination: Combination, ask: Callable[[], Any], *, stranger: bool = False
    ) -> None:
        """Take ``ask``, which returns the object to ask for output shapes.

        It is asked only for a ``stranger``, an object that is not made from the case's fields. The shapes of other
        objects are known from the first object.
        """
        self._subject = subject
        self.combination = combination
        self._ask = ask
        self._stranger = stranger
        self.expressions: list[StatedShape] | None = None

    @property
    def input_types(self) -> list[str]:
        """The names of the inputs' types, as in a case."""
        return [self._subject.type_name(dtype) for dtype, _ in self.combination.inputs]

    @property
    def output_types(self) -> list[str]:
        """The names of the outputs' types, as in a case."""
        return [self._subject.type_name(dtype) for dtype, _ in self.combination.outputs]

    @property
    def types(self) -> list[str]:
        """The names of the types of all inputs, then of all outputs."""
        return [*self.input_types, *self.output_types]

    def draw(self, shapes: Sequence[Shape], salt: str = "") -> list[npt.NDArray[Any]]:
        """Return input data for the shapes, the same each time; another ``salt`` gives other data."""
        return draw_inputs(self._subject.case, shapes, self.input_types, seed=self._subject.seed, salt=salt)

    def received(self, shapes: Sequence[Shape], salt: str = "") -> list[npt.NDArray[Any]]:
        """Return the data of :meth:`draw` as the plugin receives them, after :meth:`spread`."""
        return self.spread(self.draw(shapes, salt), shapes)

    def descriptions(self, shapes: Sequence[Shape], scale: float = NO_SCALE) -> Descriptions:
        """Return the descriptions of inputs and outputs for concrete input shapes; -1 becomes the upper bound.

        ``scale`` is used for types other than INT8.
        """
        count = len(self.combination.inputs)
        seen = [self._seen(place, shape, shapes) for place, shape in enumerate(shapes[:count])]
        ins = [self._describe(index, shape, scale) for index, shape in enumerate(seen)]
        outs = self._output_shapes(shapes)
        return ins, [self._describe(len(ins) + index, shape, scale) for index, shape in enumerate(outs)]

    def aliases(self, inputs: Sequence[Description], outputs: Sequence[Description]) -> Mapping[int, int]:
        """Return the index of the aliased input by the index of the output; both must have equal descriptions."""
        return {
            place: source for place, source in aliases_of(self._subject).items() if outputs[place] == inputs[source]
        }

    def as_shown(self, outputs: list[Description], decided: tuple[Shape, ...] | None = None) -> list[Description]:
        """Return the outputs' descriptions as a plugin sees them: data-dependent dimensions are -1, or ``decided``."""
        stated = self.expressions or []
        shown = [undecided(each, desc.dims) for desc, each in zip(outputs, stated, strict=True)]
        if decided is not None:
            shown = [_filled(dims, desc.dims, shape) for dims, desc, shape in zip(shown, outputs, decided, strict=True)]
        return [desc.sized(dims) for desc, dims in zip(outputs, shown, strict=True)]

    def build_bounds(self) -> tuple[list[Bounds], list[Bounds]]:
        """Return the descriptions and bounds of inputs and outputs for the configuration in the build."""
        ranges, dims = self.profile(), network_dims(self._subject)
        for place in copied_inputs(self._subject):
            dims[place] = (-1, *dims[place][1:])
        for low, best, high in ranges[len(dims) :]:
            dims.append(tuple(a if a == b == c else -1 for a, b, c in zip(low, best, high, strict=True)))
        bounds = [
            Bounds(self._describe(place, shape), *corners)
            for place, (shape, corners) in enumerate(zip(dims, ranges, strict=True))
        ]
        count = len(self.combination.inputs)
        return bounds[:count], bounds[count:]

    def as_found(self, shapes: tuple[Shape, ...], outputs: list[Description], raw: list[bytes]) -> list[Description]:
        """Return the outputs' descriptions after a run, with the dimensions that the size tensors in ``raw`` give.

        Raises:
            NotRun: A size tensor is not an output, or has no known shape.
        """
        stated = self.expressions or []
        sizing = sorted(set().union(*map(sizing_outputs, stated)))
        unreadable = [place for place in sizing if place >= len(outputs) or -1 in outputs[place].dims]
        if unreadable:
            raise NotRun(f"output {unreadable[0]} cannot be read as a size tensor")
        sizes = {place: int(formats.from_device(raw[place], outputs[place]).reshape(-1)[0]) for place in sizing}
        if not sizes:
            return outputs
        bounds = {place: min(max(size, 0), self.upper_bound(place, shapes)) for place, size in sizes.items()}
        sized = [evaluated(each, shapes, bounds) for each in stated]
        return [desc.sized(dims) for desc, dims in zip(outputs, sized, strict=True)]

    def upper_bound(self, place: int, shapes: Sequence[Shape]) -> int:
        """Return the declared upper bound of the size tensor that is output ``place``; 0 if there is none."""
        bounds = [bound_of(each, place, shapes) for each in self.expressions or []]
        return max((bound for bound in bounds if bound is not None), default=0)

    def profile(self) -> list[tuple[Shape, Shape, Shape]]:
        """Return the shapes of every input, then of every output, at the profile's minimum, optimum and maximum."""
        case = self._subject.case
        corners = [shapes_at(case, corner) for corner in range(3)]
        low, best, high = (self._output_shapes(shapes) for shapes in corners)
        count = len(case.data_inputs)
        seen = [[self._seen(place, shapes[place], shapes) for shapes in corners] for place in range(count)]
        return [*((a, b, c) for a, b, c in seen), *zip(low, best, high, strict=True)]

    def _seen(self, place: int, shape: Shape, shapes: Sequence[Shape]) -> Shape:
        """Return the shape of an input in the plugin: with the whole batch, if TensorRT copies a single item."""
        return (batch_of(self._subject, shapes), *shape[1:]) if place in copied_inputs(self._subject) else tuple(shape)

    def spread(self, arrays: Sequence[npt.NDArray[Any]], shapes: Sequence[Shape]) -> list[npt.NDArray[Any]]:
        """Return the inputs' data. A single item that a batch shares is repeated, as TensorRT does."""
        copied = {place for place in copied_inputs(self._subject) if len(arrays[place]) == 1}
        batch = batch_of(self._subject, shapes) if copied else 1
        return [np.repeat(array, batch, axis=0) if place in copied else array for place, array in enumerate(arrays)]

    def _output_shapes(self, shapes: Sequence[Shape]) -> list[Shape]:
        if self.expressions is None:
            is_asked = self._stranger
            self.expressions = network_answers(self._subject, self._ask()) if is_asked else usual_answers(self._subject)
        stated = self.expressions
        if self._stranger:
            return [allocatable(each, shapes) for each in stated]
        key = ("output shapes", tuple(map(tuple, shapes)))
        return self._subject.known(key, lambda: [allocatable(each, shapes) for each in stated])

    def _describe(self, position: int, dims: Sequence[int], scale: float = NO_SCALE) -> Description:
        dtype, layout = self.combination.forms[position]
        if dtype == self._subject.trt.DataType.INT8:
            scale = int8_scale(self._subject.case, position)
        return Description(tuple(dims), dtype, layout, scale)

    def step(self, desc: Description) -> float | None:
        """Return the real number of a step of an INT8 tensor; None for other types, or without scales."""
        scaled = has_scales(self._subject.case)
        return desc.scale if scaled and desc.type == self._subject.trt.DataType.INT8 else None


def _filled(dims: Shape, bounds: Shape, decided: Shape) -> Shape:
    """Return dimensions with the decided values in place of -1, at most the bounds; the bounds if the ranks differ."""
    if len(decided) != len(dims):
        return bounds
    return tuple(
        min(value, most) if extent == -1 else extent for extent, most, value in zip(dims, bounds, decided, strict=True)
    )
