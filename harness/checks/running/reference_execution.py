"""Compare concurrent executions with the case's reference, or with a new plugin that runs alone if there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.checks.formats.choices import default_combination
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.running.driver import fresh_driver
from harness.checks.running.runs import LENIENT, insist_on_one_answer
from harness.checks.sampling.oracle import quantized, reference_outputs
from harness.checks.sampling.scales import output_step
from harness.contract.finding import NotRun

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy.typing as npt

    from harness.checks.observation.comparing import Difference
    from harness.checks.running.driver import Driver
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

    Arrays = Sequence[npt.NDArray[Any]]


class ReferenceExecution:
    """Compares outputs with expected outputs. Use it after all executions, because it may run new plugins."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._drivers: dict[Shapes, Driver] = {}

    @property
    def source(self) -> str:
        """The source of the expected outputs, in words."""
        alone = "as a new plugin computes alone"
        return alone if self._subject.case.reference is None else "as the case's reference computes"

    def check_types(self, run_types: Collection[tuple[Any, ...]]) -> None:
        """Check that the plugin always ran with the types of the network.

        Raises:
            NotRun: It ran with other types, so its results are rounded differently.
        """
        combination = default_combination(self._subject)
        if set(run_types) - {tuple(dtype for dtype, _ in combination.forms)}:
            raise NotRun("the engine runs the plugin with types that are not the network's: results are rounded")

    def difference(self, shapes: Shapes, inputs: Arrays, outputs: Arrays) -> Difference | None:
        """Return the first difference from the expected outputs beyond their types' tolerances; None if there is none.

        Raises:
            NotRun: New plugins compute different results from the same inputs.
        """
        case, combination = self._subject.case, default_combination(self._subject)
        names = [self._subject.type_name(dtype) for dtype, _ in combination.outputs]
        expected: Arrays
        if case.reference is not None:
            expected = reference_outputs(case, shapes, inputs)
        else:
            if shapes not in self._drivers:
                self._drivers[shapes] = fresh_driver(self._subject)
            expected = self._drivers[shapes].run(shapes, inputs, LENIENT).insist().outputs
        if len(expected) == len(outputs):
            steps = [output_step(case, index, name) for index, name in enumerate(names)]
            expected = [quantized(*each) for each in zip(expected, outputs, steps, strict=True)]
        difference = first_difference(outputs, expected, [tolerance_of(case, name) for name in names])
        if difference is not None and case.reference is None:
            insist_on_one_answer(self._drivers[shapes], shapes, inputs)
        return difference

    def is_wrong_alone(self, shapes: Shapes, inputs: Arrays) -> bool:
        """Return whether the outputs of a new plugin that runs alone differ from the expected outputs, too."""
        alone = fresh_driver(self._subject).run(shapes, inputs, LENIENT)
        return alone.failure is None and self.difference(shapes, inputs, alone.outputs) is not None
