"""IPluginCapability: the base class of the parts of a plugin of version 3."""

from __future__ import annotations

from reference_runtime.values.versioned_interface import IVersionedInterface


class IPluginCapability(IVersionedInterface, bound=True):
    """One capability of a plugin: its core, its build or its runtime; TensorRT alone derives from it."""
