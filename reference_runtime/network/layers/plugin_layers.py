"""IPluginV2Layer and IPluginV3Layer: layers that run a plugin."""

from __future__ import annotations

from reference_runtime.bound.bound_class import attribute
from reference_runtime.network.layers.layer import ILayer, layer_of


class IPluginV2Layer(ILayer, bound=True):
    """A layer that runs an IPluginV2."""

    plugin = attribute(lambda self: layer_of(self).plugin)


class IPluginV3Layer(ILayer, bound=True):
    """A layer that runs an IPluginV3."""

    plugin = attribute(lambda self: layer_of(self).plugin)
