"""Hold the results of one ``enqueue`` call, and the conditions that varied around it."""

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


#: How the labels of the memory begin that ``enqueue`` is given.
GIVEN = ("inputs", "outputs", "workspace")


class Run(msgspec.Struct, frozen=True):
    """The record of one ``enqueue`` call.

    Attributes:
        shapes: The inputs' shapes; those of shape inputs are their values.
        inputs: What the inputs held, as linear real-number data.
        outputs: What the outputs hold afterwards, as linear real-number data; what was not written is poison.
        raw_outputs: The outputs' bytes, padding included.
        changed_inputs: Indices of the inputs whose bytes changed, without those that share memory with an output.
        damage: Overwritten guard bands, by buffer label.
        faults: Misuses of device memory during the call.
        recording: Accesses, allocations and waits during the call.
        stream: The handle of the stream that was given.
        workspace: The bytes of workspace that were given.
        freed: Labels of the buffers that the plugin freed.
        early: Labels of the outputs that were written before the stream went on, where it was late.
        mishap: What went wrong, where ``enqueue`` failed and the caller asked to see it.
        steps: For each output the real number of one INT8 step. It is None for other types, and where the case gives no
            scale.
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
    mishap: CallbackFailure | None = None
    steps: tuple[float | None, ...] = ()

    @property
    def plugin_accesses(self) -> list[Access]:
        """The accesses that the plugin made, without those before and after it that bound them."""
        around = len(self.inputs) + len(self.outputs)
        return self.recording.accesses[around + 1 : len(self.recording.accesses) - len(self.outputs)]

    @property
    def stale_uses(self) -> list[str]:
        """Sentences about uses of memory that had been freed."""
        return _sentences(self.faults, FaultKind.USE_AFTER_FREE)

    @property
    def wrong_frees(self) -> list[str]:
        """Sentences about freeing what ``enqueue`` was given."""
        given = [fault for fault in self.faults if fault.label.startswith(GIVEN)]
        faults = _sentences(given, FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE)
        return [*(f"{label} was freed" for label in self.freed), *faults]

    def insist(self) -> Run:
        """Return the run; rules use it for a lenient run whose failure is not what they look for.

        Raises:
            CallbackFailedError: ``enqueue`` failed.
        """
        if self.mishap is not None:
            raise CallbackFailedError(self.mishap)
        return self

    def trespasses(self, label: str) -> list[str]:
        """Sentences about what was touched beside the buffers whose label begins so: ``workspace``, ``outputs``."""
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
    """The conditions of a call that a rule may vary, and that a plugin must not depend on.

    Attributes:
        poison: Byte that outputs and workspace are filled with before the call.
        workspace: Bytes of workspace to give; None for the answer of ``get_workspace_size``.
        null_when_empty: Whether empty tensors have the null address.
        null_workspace: Whether a workspace of 0 bytes has the null address.
        lenient: Whether a failing ``enqueue`` is put into the run instead of stopping the rule.
        scale: The ``scale`` of descriptors whose type has none.
        aliased: Whether an output that is declared to alias an input shares its memory, as in a build that allows it.
        late: Whether inputs come late on the stream, which is held while ``enqueue`` is called; a GPU alone can do it.
        decided: The outputs' shapes to show where data decide dimensions; None for -1 there, as TensorRT shows them.
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
#: For runs whose failure is the rule's own question.
LENIENT = RunConditions(lenient=True)
#: For runs whose inputs come late.
LATE = RunConditions(late=True)
#: For runs in which outputs that alias inputs have memory of their own.
APART = RunConditions(lenient=True, aliased=False)


def _sentences(faults: Sequence[Fault], *kinds: FaultKind) -> list[str]:
    return [fault.sentence for fault in faults if fault.kind in kinds]
