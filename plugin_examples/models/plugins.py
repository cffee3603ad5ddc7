"""The plugins of the model: an IPluginV2DynamicExt and an IPluginV3, registered by the modules that they are written in."""

from plugin_examples import circ_pad, multi_tactic

__all__ = ["circ_pad", "multi_tactic"]
