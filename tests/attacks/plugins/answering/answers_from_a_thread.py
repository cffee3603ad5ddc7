"""A thread that answers while the rule still compares."""

import threading

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def answer():
    write_everywhere(REPLY)


def attack():
    thread = threading.Thread(target=answer)
    thread.start()
    thread.join()


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
