"""Choose the adapter of a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.calling.adapters.version_2 import version_2
from reference_runtime.calling.adapters.version_3 import version_3
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface


def interface_of(plugin: object, kind: LayerType) -> PluginInterface:
    """Return the adapter of a layer's plugin; if a plugin derives from both versions, the layer's ``kind`` decides."""
    return version_3(plugin) if kind == LayerType.PLUGIN_V3 else version_2(plugin)
