"""A tolerance that any output is within."""

from wrong_scale import SCALE_CASES, WrongScale, publish

from harness import Tolerance

PLUGIN_CASES = [{**SCALE_CASES[0], "tolerance": Tolerance(rtol=1e30, atol=1e30)}]
publish(WrongScale)
