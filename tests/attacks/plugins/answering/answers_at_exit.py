"""An exit handler that answers, and a callback that ends the process with ``sys.exit``."""

import atexit
import sys

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    atexit.register(write_everywhere, REPLY)
    sys.exit(0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
