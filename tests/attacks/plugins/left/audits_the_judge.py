"""What is left: an audit hook, which Python calls when the judge opens a file, and which changes the answer."""

import sys

from judges_frames import variables
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

HOOKS = []


def acquit(event, arguments):
    if event == "open":
        for reply in variables("reply"):
            reply.value.update(violations=[], broken=0)


def attack():
    if not HOOKS:
        HOOKS.append(sys.addaudithook(acquit))


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
