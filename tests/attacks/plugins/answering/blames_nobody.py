"""A crash of enqueue that the flight recorder gives to a callback of no plugin, so that no rule owns it."""

import os

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.process import flight_recorder

    flight_recorder.returned()
    flight_recorder.record("nobody", "nothing", "nowhere")
    os.abort()


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
