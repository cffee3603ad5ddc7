"""Tolerances by type in a mapping that gives others than it lists."""

from wrong_scale import SCALE_CASES, WrongScale, publish

from harness import Tolerance


class Lenient(dict):
    def __getitem__(self, _):
        return Tolerance(atol=1e30)


NEAR = Lenient(float32=Tolerance(atol=1e-5), float16=Tolerance(atol=1e-2))
PLUGIN_CASES = [{**SCALE_CASES[0], "tolerance": NEAR}]
publish(WrongScale)
