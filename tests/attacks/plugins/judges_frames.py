"""What the judge's functions hold while a plugin's code runs: the variables of the frames below it."""

import sys


def variables(name):
    """Yield the values of the variable of this name in all frames below."""
    frame = sys._getframe(1)
    while frame is not None:
        if name in frame.f_locals:
            yield frame.f_locals[name]
        frame = frame.f_back
