"""What is left: code that knows this harness, and does in enqueue what the judge does when a rule has ended."""

import os

from forged_answer import REPLY
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.process import flight_recorder, handover

    for name in os.listdir("/proc/self/fd"):
        try:
            handover.Delivery(int(name), flight_recorder._Installed.box).hand_in(REPLY)
        except Exception:
            continue
    os._exit(0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
