"""Computes with a partial method, and with functions that were bound to their arguments before."""

import functools

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-018"

PLUGIN_CASES = SCALE_CASES


def scaled(plugin, x, y, *, by):
    by(x, x.dtype.type(plugin.factor), out=y)


class Partial(Scale):
    compute = functools.partialmethod(scaled, by=cp.multiply)


publish(Partial)
