"""A tolerance that is set to infinity behind the back of its checks."""

import math

from wrong_scale import SCALE_CASES, WrongScale, publish

from harness import Tolerance

near = Tolerance()
object.__setattr__(near, "atol", math.inf)
PLUGIN_CASES = [{**SCALE_CASES[0], "tolerance": near}]
publish(WrongScale)
