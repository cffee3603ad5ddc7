"""Find the size tensors that an ``IPluginV3`` declares, and make inputs for which their values are large and small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from harness.checks.running.single_run import PLAIN
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.shapes.shapes import ask_output_dimensions, output_indices
from harness.contract.finding import NotApplicable
from reference_runtime.shapes import expression_nodes, expressions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from harness.cases.case import Case, Shape
    from harness.checks.running.driver import Driver
    from harness.checks.running.single_run import Run
    from harness.checks.shapes.shapes import ShapeAnswer
    from harness.subject.subject import Subject


class Declaration(msgspec.Struct, frozen=True):
    """One size tensor in the shape of one output.

    Attributes:
        answer: The shape that uses the size tensor.
        size: The node that ``declare_size_tensor`` made.
    """

    answer: ShapeAnswer
    size: expression_nodes.Size

    @property
    def output(self) -> int:
        """The index of the output that is the size tensor."""
        return self.size.output

    def __str__(self) -> str:
        return f"declare_size_tensor({self.output}) in the shape of output {self.answer.index}"

    def bounds(self, shapes: Sequence[Shape]) -> tuple[int, int]:
        """Return the optimum and the upper bound at given input shapes."""
        upper = self.answer.value_of(self.size.upper, shapes, "upper")
        return self.answer.value_of(self.size.optimum, shapes, "upper"), upper

    @property
    def nests(self) -> bool:
        """Return whether the optimum of the declared size depends on another size tensor."""
        return bool(expression_nodes.outputs_sized_by(self.size.optimum))


def shapes_of(subject: Subject, plugin: Any) -> list[ShapeAnswer]:
    """Ask the plugin for the shapes of all outputs."""
    return [ask_output_dimensions(subject, plugin, index) for index in output_indices(subject, plugin)]


def declarations(stated: Sequence[ShapeAnswer]) -> list[Declaration]:
    """Return the size tensors in the shapes of outputs, each once for each output.

    Raises:
        NotApplicable: The shapes use no size tensor.
    """
    unique = {(answer.index, id(size)): Declaration(answer, size) for answer in stated for size in _sizes(answer)}
    if not unique:
        raise NotApplicable("no output shape depends on data")
    return list(unique.values())


def computed_with(answer: ShapeAnswer) -> list[str]:
    """Return in words the dimensions that are operations on a size tensor, and not the size tensor itself."""
    roots = [expressions.node_of(expr) for expr in answer.expressions if expr is not None]
    return [
        expression_nodes.describe(root)
        for root in roots
        if isinstance(root, expression_nodes.Operation) and expression_nodes.outputs_sized_by(root)
    ]


def adversarial(driver: Driver, shapes: Sequence[Shape]) -> Iterator[tuple[str, list[npt.NDArray[Any]]]]:
    """Yield (name, input data) for data that may give small and large data-dependent dimensions."""
    usual = driver.tensors.draw(shapes)
    yield "drawn for the case", usual
    yield "all zero", [np.zeros_like(array) for array in usual]
    yield "all one", [np.ones_like(array) for array in usual]
    yield "drawn again", driver.tensors.draw(shapes, "again")


def written_size(raw: bytes) -> int:
    """Return the value of a size tensor from its bytes."""
    return int.from_bytes(raw, "little", signed=True)


def needed_size(case: Case, run: Run, declared: Declaration) -> int | None:
    """Return the size that a run wrote or, if ``enqueue`` failed, the size that the case's reference computes.

    If ``enqueue`` failed and no reference computes the size, return the size that the run wrote, or None.
    """
    if run.failure is None:
        return written_size(run.raw_outputs[declared.output])
    expected = reference_outputs(case, run.shapes, run.inputs) if case.reference is not None else []
    if declared.output < len(expected) and expected[declared.output].size == 1:
        return int(expected[declared.output].item())
    raw = run.raw_outputs[declared.output]
    return None if is_poison(raw) else written_size(raw)


def is_poison(raw: bytes) -> bool:
    """Return whether a size tensor still holds its initial bytes, so that the plugin probably wrote no size."""
    return raw == bytes([PLAIN.poison]) * len(raw)


def _sizes(answer: ShapeAnswer) -> list[expression_nodes.Size]:
    roots = [expressions.node_of(expr) for expr in answer.expressions if expr is not None]
    return [
        node for root in roots for node in expression_nodes.in_order(root) if isinstance(node, expression_nodes.Size)
    ]
