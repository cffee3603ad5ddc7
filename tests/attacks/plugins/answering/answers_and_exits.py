"""Ten lines in enqueue: a made-up answer to every inherited pipe, and ``_exit(0)``."""

import os

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    write_everywhere(REPLY)
    os._exit(0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
