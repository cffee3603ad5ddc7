"""The plugins of the model: an IPluginV2DynamicExt and an IPluginV3, each registered by its own module."""

from plugin_examples import circ_pad, multi_tactic

__all__ = ["circ_pad", "multi_tactic"]
