"""The exception by which a debugger ends a run, which is none of the plugin's."""

import bdb

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    raise bdb.BdbQuit


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
