"""A reference that has the plugin's error: it returns its input."""

from wrong_scale import SCALE_CASES, WrongScale, publish

PLUGIN_CASES = [{**SCALE_CASES[0], "reference": lambda x, *, fields: x}]
publish(WrongScale)
