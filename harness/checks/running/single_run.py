"""Define the record of one ``enqueue`` call, and the conditions of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.contract.finding import CallbackFailedError
from reference_runtime.devices.host import FaultKind
from reference_runtime.values.descriptions import NO_SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Shape
    from harness.contract.finding import CallbackFailure
    from reference_runtime.devices.host import Access, Damage, Fault, Recording


#: The beginnings of the labels of memory that ``enqueue`` receives.
GIVEN = ("inputs", "outputs", "workspace")


class Run(msgspec.Struct, frozen=True):
    """The record of one ``enqueue`` call.

    Attributes:
        shapes: The inputs' shapes; those of shape inputs are their values.
        inputs: The inputs before the call, as linear arrays, INT8 data with a scale as real numbers.
        outputs: The outputs after the call, in the same form; bytes that were not written have their initial value.
        raw_outputs: The outputs' bytes, padding included.
        changed_inputs: Indices of the inputs whose bytes changed, without those that share memory with an output.
        damage: Overwritten guard bands, by buffer label.
        faults: Misuses of device memory during the call.
        recording: Accesses, allocations and waits during the call.
        stream: The handle of the stream of the call.
        workspace: The size of the workspace in bytes.
        freed: Labels of the buffers that the plugin freed.
        early: Labels of the outputs that were written before a blocked stream was released.
        failure: The failure of ``enqueue``, if the conditions are lenient; otherwise None.
        steps: For each output, the real number of an INT8 step. None for other types, and if the case has no scales.
    """

    shapes: tuple[Shape, ...]
    inputs: list[npt.NDArray[Any]]
    outputs: list[npt.NDArray[Any]]
    raw_outputs: list[bytes]
    changed_inputs: list[int]
    damage: list[tuple[str, Damage]]
    faults: list[Fault]
    recording: Recording
    stream: int
    workspace: int
    freed: list[str]
    early: list[str]
    failure: CallbackFailure | None = None
    steps: tuple[float | None, ...] = ()

    @property
    def plugin_accesses(self) -> list[Access]:
        """The accesses of the plugin, without those that were recorded for the layers before and after it."""
        around = len(self.inputs) + len(self.outputs)
        return self.recording.accesses[around + 1 : len(self.recording.accesses) - len(self.outputs)]

    @property
    def stale_uses(self) -> list[str]:
        """Sentences about uses of memory that had been freed."""
        return _sentences(self.faults, FaultKind.USE_AFTER_FREE)

    @property
    def wrong_frees(self) -> list[str]:
        """Sentences about frees of memory that ``enqueue`` received."""
        in_buffers = [fault for fault in self.faults if fault.label.startswith(GIVEN)]
        faults = _sentences(in_buffers, FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE)
        return [*(f"{label} was freed" for label in self.freed), *faults]

    def insist(self) -> Run:
        """Return this run, if ``enqueue`` did not fail; for rules that do not judge failures of a lenient run.

        Raises:
            CallbackFailedError: ``enqueue`` failed.
        """
        if self.failure is not None:
            raise CallbackFailedError(self.failure)
        return self

    def trespasses(self, label: str) -> list[str]:
        """Return sentences about accesses outside of the buffers whose label begins with ``label``."""
        damage = [f"{name}: {hurt.nbytes} bytes {hurt.side} it" for name, hurt in self.damage if name.startswith(label)]
        beyond = [
            fault.sentence
            for fault in self.faults
            if fault.label.startswith(label) and fault.kind is not FaultKind.USE_AFTER_FREE
        ]
        return [*damage, *beyond]

    @property
    def races(self) -> list[str]:
        """Sentences about accesses that no stream, event or wait puts in order."""
        return list(map(str, self.recording.races()))


class RunConditions(msgspec.Struct, frozen=True):
    """The conditions of a call of ``enqueue`` that a rule may vary.

    Attributes:
        poison: The byte that outputs and workspace are filled with before the call.
        workspace: The size of the workspace in bytes; None for the answer of ``get_workspace_size``.
        null_when_empty: Whether empty tensors have the null address.
        null_workspace: Whether a workspace of 0 bytes has the null address.
        lenient: Whether a failure of ``enqueue`` is recorded in the run instead of stopping the rule.
        scale: The ``scale`` of descriptors whose type has none.
        aliased: Whether an output that is declared to alias an input shares its memory, as in a build that allows it.
        late: Whether the stream is blocked while ``enqueue`` is called, so that inputs arrive late; only on a GPU.
        decided: The outputs' shapes to show for data-dependent dimensions; None to show -1, as TensorRT does.
    """

    poison: int = 0xCD
    workspace: int | None = None
    null_when_empty: bool = True
    null_workspace: bool = True
    lenient: bool = False
    scale: float = NO_SCALE
    aliased: bool = True
    late: bool = False
    decided: tuple[Shape, ...] | None = None


PLAIN = RunConditions()
#: Record a failure of ``enqueue`` in the run.
LENIENT = RunConditions(lenient=True)
#: Let the inputs arrive late.
LATE = RunConditions(late=True)
#: Give outputs that alias inputs separate memory, and record a failure.
APART = RunConditions(lenient=True, aliased=False)


def _sentences(faults: Sequence[Fault], *kinds: FaultKind) -> list[str]:
    return [fault.sentence for fault in faults if fault.kind in kinds]
