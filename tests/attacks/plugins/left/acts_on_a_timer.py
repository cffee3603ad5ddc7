"""What is left: a signal of a timer, whose handler changes the judge's answer."""

import signal

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def acquit(number, frame):
    while frame is not None:
        value = getattr(frame.f_locals.get("reply"), "value", None)
        if value:
            value.update(violations=[], broken=0)
        frame = frame.f_back


def attack():
    signal.signal(signal.SIGALRM, acquit)
    signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
