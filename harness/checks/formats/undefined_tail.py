"""Vary the descriptions after ``pos`` in format questions, to find whether the plugin reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import field

from reference_runtime.calling.trampolines import v2
from reference_runtime.values.descriptions import Description
from reference_runtime.values.descriptors import PluginTensorDesc
from reference_runtime.values.dims import Dims

if TYPE_CHECKING:
    from harness.checks.formats.formats import Asker, Question

_MEMBERS = frozenset({"dims", "type", "format", "scale"})


class _WatchedDesc(PluginTensorDesc):
    """A descriptor that notes the name of each member that is read."""

    def __init__(self, reads: list[str]) -> None:
        PluginTensorDesc.__init__(self)
        self._reads = reads

    def __getattribute__(self, name: str) -> Any:
        if name in _MEMBERS:
            self._reads.append(name)
        return super().__getattribute__(name)


class _Watched(Description, frozen=True, eq=False):
    """A description whose descriptors note in ``reads`` the name of each member that is read."""

    reads: list[str] = field(default_factory=list)

    def fresh(self) -> PluginTensorDesc:
        desc = _WatchedDesc(self.reads)
        desc.dims = Dims(self.dims)
        desc.type = self.type
        desc.format = self.format
        desc.scale = self.scale
        return desc


def reads_behind(asker: Asker, question: Question) -> bool:
    """Return whether the plugin reads a descriptor after ``pos`` while it answers the question."""
    blank = v2.INVALID
    watched = _Watched(blank.dims, blank.type, blank.format, blank.scale)
    asker.outcome(question, tail=watched)
    return bool(watched.reads)


def tails(asker: Asker, question: Question, *, thorough: bool) -> dict[str, Description]:
    """Return descriptions to put after ``pos``, by a name for messages.

    Args:
        asker: Knows TensorRT's types and the tensors' dimensions.
        question: The question; one description has its form.
        thorough: Whether to include every type and every format.
    """
    trt = asker.subject.trt
    kinds, layouts = trt.DataType, trt.TensorFormat
    dims = tuple(asker.dims[question.pos])
    descriptions = {
        "an undefined description": v2.INVALID,
        "the same as at pos": Description(dims, *question.form),
        "INT8:CHW32": Description((7, 7, 7, 7), kinds.INT8, layouts.CHW32, 0.5),
        "BOOL:DLA_HWC4": Description((0,) * 8, kinds.BOOL, layouts.DLA_HWC4),
    }
    if thorough:
        descriptions |= {
            f"{name}:LINEAR": Description(dims, dtype, layouts.LINEAR) for name, dtype in kinds.__members__.items()
        }
        dtype = question.form[0]
        descriptions |= {
            f"{dtype.name}:{name}": Description(dims, dtype, layout) for name, layout in layouts.__members__.items()
        }
    return descriptions
