"""What is left: a case in another file, whose reference the plugin's module changes when it is imported."""

from wrong_scale import SCALE_CASES, WrongScale, publish

PLUGIN_CASES = SCALE_CASES
PLUGIN_CASES[0]["reference"] = lambda x, *, fields: x + x.dtype.type(1e-7)
publish(WrongScale)
