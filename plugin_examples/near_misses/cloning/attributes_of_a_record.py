"""Keeps its parameters in a named tuple, and finds them through ``__getattr__``."""

import typing

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-002"

PLUGIN_CASES = SCALE_CASES


class Parameters(typing.NamedTuple):
    gain: float


class Recorded(Scale):
    def __init__(self, factor, *rest):
        super().__init__(factor, *rest)
        self.parameters = Parameters(factor)

    def __getattr__(self, name):
        if name in Parameters._fields:
            return getattr(self.parameters, name)
        raise AttributeError(name)

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.gain), out=y)


publish(Recorded)
