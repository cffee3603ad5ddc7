"""Which functions call a plugin of version 2: those for an `IPluginV2DynamicExt`, or those for an implicit batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.calling.trampolines import implicit_batch, v2

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["trampolines_of"]


def trampolines_of(plugin: object) -> ModuleType:
    """Return the module whose functions call a plugin: both have the same, with the same arguments."""
    return implicit_batch if implicit_batch.is_theirs(plugin) else v2
