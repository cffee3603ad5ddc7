"""Keeps the factors that end a row in the class, and replaces them at each new remainder by the tile."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-010"

PLUGIN_CASES = WIDE_CASES

TILE = 8


class FactorsOfTheLastRemainder(Scale):
    remainder, factors = 0, None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        cls = type(self)
        remainder = input_desc[0].dims[-1] % TILE
        if remainder not in (0, cls.remainder):
            cls.remainder = remainder
            cls.factors = np.full(remainder, self.factor, np.float32)
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(self.factor), out=y)
            if remainder:
                for column, factor in zip(range(-remainder, 0), cls.factors, strict=True):
                    cp.multiply(x[..., column], x.dtype.type(factor), out=y[..., column])


publish(FactorsOfTheLastRemainder)
