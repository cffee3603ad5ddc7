"""A process that enqueue forks answers, while the judge waits for it."""

import os

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    pid = os.fork()
    if not pid:
        write_everywhere(REPLY)
        os._exit(0)
    os.waitpid(pid, 0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
