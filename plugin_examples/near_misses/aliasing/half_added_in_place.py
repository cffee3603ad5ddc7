"""Adds in place, in half precision first: TensorRT converts the output, so its memory is not the input's."""

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

LOOKS_LIKE = "FUZ-009"

_INPUT = {"dims": ("N", "W"), "min": (0, 1), "opt": (2, 5), "max": (4, 9), "types": ("float16", "float32")}
PLUGIN_CASES = [{**IN_PLACE_CASES[0], "inputs": [_INPUT, _INPUT]}]


class HalfInPlace(InPlace):
    pass


publish(HalfInPlace)
