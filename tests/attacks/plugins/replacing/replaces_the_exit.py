"""Another end of the process, which writes an answer first."""

import os

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    os._exit = lambda status: write_everywhere(REPLY)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
