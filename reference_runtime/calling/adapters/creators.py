"""Make plugins of all interfaces by their creators: for a network, or from the data of an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.calling.trampolines import v2, v3
from reference_runtime.interfaces.creators import IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.interfaces.field_collections import PluginField, received
from reference_runtime.values.enums import QuickPluginCreationRequest, TensorRTPhase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.interfaces.field_collections import PluginFieldCollection_
    from reference_runtime.interfaces.saved_fields import SavedField


def created(
    gate: Gate,
    creator: object,
    name: str,
    fields: PluginFieldCollection_,
    phase: TensorRTPhase = TensorRTPhase.BUILD,
    request: QuickPluginCreationRequest = QuickPluginCreationRequest.PREFER_JIT,
) -> Any:
    """Return the plugin that ``create_plugin`` makes, or None; only creators of decorated plugins get ``request``."""
    if isinstance(creator, IPluginCreatorV3Quick):
        return v3.create_quick_plugin(gate, creator, fields, phase, request)
    if isinstance(creator, IPluginCreatorV3One):
        return v3.create_plugin(gate, creator, name, fields, phase)
    return v2.create_plugin(gate, creator, name, fields)


def restored(gate: Gate, creator: object, name: str, saved: bytes | Sequence[SavedField]) -> Any:
    """Return the plugin that a creator makes from bytes (version 2) or fields (version 3), or None.

    The creator gets copies of the fields, because the plugin that saved them may no longer exist. The copies are freed
    when the creator returns.
    """
    if isinstance(saved, bytes):
        return v2.deserialize_plugin(gate, creator, name, saved)
    fields = received([_field(each) for each in saved])
    try:
        return created(gate, creator, name, fields, TensorRTPhase.RUNTIME, QuickPluginCreationRequest.STRICT_JIT)
    finally:
        fields.free()


def _field(saved: SavedField) -> PluginField:
    """Return a field over new memory with the saved data."""
    field = PluginField(saved.name, np.frombuffer(bytearray(saved.data), np.uint8), saved.type)
    field.size = saved.length
    return field
