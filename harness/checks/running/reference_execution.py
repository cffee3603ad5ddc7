"""Compare concurrent executions with the case's reference or, without one, with a new plugin that runs alone."""

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
    """The expected outputs of an execution; ask for them after all executions."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._drivers: dict[Shapes, Driver] = {}

    @property
    def wanted(self) -> str:
        """Name the source of the expected outputs, in words."""
        alone = "as a new plugin computes that runs alone"
        return alone if self._subject.case.reference is None else "as the case's reference computes"

    def check_types(self, seen: Collection[tuple[Any, ...]]) -> None:
        """Insist that a plugin was run with the types of the network.

        Raises:
            NotRun: It was not, so that results are rounded in another way.
        """
        combination = default_combination(self._subject)
        if set(seen) - {tuple(dtype for dtype, _ in combination.forms)}:
            raise NotRun("the engine runs the plugin with types that are not the network's: results are rounded")

    def difference(self, shapes: Shapes, inputs: Arrays, outputs: Arrays) -> Difference | None:
        """Return where the outputs differ from the expected values by more than their types' tolerance.

        Raises:
            NotRun: The plugin computes something else each time.
        """
        case, combination = self._subject.case, default_combination(self._subject)
        names = [self._subject.type_name(dtype) for dtype, _ in combination.outputs]
        wanted: Arrays
        if case.reference is not None:
            wanted = reference_outputs(case, shapes, inputs)
        else:
            if shapes not in self._drivers:
                self._drivers[shapes] = fresh_driver(self._subject)
            wanted = self._drivers[shapes].run(shapes, inputs, LENIENT).insist().outputs
        if len(wanted) == len(outputs):
            steps = [output_step(case, index, name) for index, name in enumerate(names)]
            wanted = [quantized(*each) for each in zip(wanted, outputs, steps, strict=True)]
        found = first_difference(outputs, wanted, [tolerance_of(case, name) for name in names])
        if found is not None and case.reference is None:
            insist_on_one_answer(self._drivers[shapes], shapes, inputs)
        return found

    def is_wrong_alone(self, shapes: Shapes, inputs: Arrays) -> bool:
        """Return whether a new plugin that runs alone computes outputs from these inputs that are not the expected."""
        alone = fresh_driver(self._subject).run(shapes, inputs, LENIENT)
        return alone.mishap is None and self.difference(shapes, inputs, alone.outputs) is not None
