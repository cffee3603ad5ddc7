"""Cases for Bar in C++: those of the plugin in Python."""

from plugin_examples.bar_cases import PLUGIN_CASES

__all__ = ["PLUGIN_CASES"]
