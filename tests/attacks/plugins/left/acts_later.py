"""What is left: code that the garbage collector calls while the judge works, and that changes what was found."""

import gc

import msgspec
from judges_frames import variables
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def acquit(*_):
    for findings in variables("findings"):
        for finding in findings:
            msgspec.structs.force_setattr(finding, "violation", None)
    for broken in variables("broken"):  # since Python 3.12 no collection comes before the judge has taken these
        broken.clear()


def attack():
    gc.set_threshold(1)
    gc.enable()
    if acquit not in gc.callbacks:
        gc.callbacks.append(acquit)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
