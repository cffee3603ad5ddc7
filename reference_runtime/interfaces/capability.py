"""IPluginCapability: the root of what a plugin of version 3 is made of."""

from __future__ import annotations

from reference_runtime.values.versioned_interface import IVersionedInterface


class IPluginCapability(IVersionedInterface, bound=True):
    """One capability of a plugin: its core, its build or its runtime; TensorRT alone derives from it."""
