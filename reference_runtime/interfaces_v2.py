"""Which functions call a plugin of version 2: those for an `IPluginV2DynamicExt`, or those for an implicit batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime import trampolines, trampolines_implicit

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["trampolines_of"]


def trampolines_of(plugin: object) -> ModuleType:
    """Return the module whose functions call a plugin: both have the same, with the same arguments."""
    return trampolines_implicit if trampolines_implicit.is_theirs(plugin) else trampolines
