"""What is left: a thread that waits for the judge's answer, and changes it before it is handed in."""

import sys
import threading
import time

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def acquit(judge):
    while True:
        time.sleep(0)
        frame = sys._current_frames()[judge]
        while frame is not None and "reply" not in frame.f_locals:
            frame = frame.f_back
        value = getattr(frame and frame.f_locals["reply"], "value", None)
        if value:
            value.update(violations=[], broken=0)


def attack():
    sys.setswitchinterval(1e-6)
    if threading.active_count() == 1:
        threading.Thread(target=acquit, args=(threading.get_ident(),), daemon=True).start()


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
