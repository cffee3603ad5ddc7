"""Copies a row in tiles of sixteen, then up to six elements: a tail of seven is left out."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"

PLUGIN_CASES = WIDE_CASES

TILE = 16
TAILS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15)


class TailLeftOut(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            whole = x.shape[-1] // TILE * TILE
            cp.multiply(x[..., :whole], x.dtype.type(self.factor), out=y[..., :whole])
            if x.shape[-1] - whole in TAILS:
                cp.multiply(x[..., whole:], x.dtype.type(self.factor), out=y[..., whole:])


publish(TailLeftOut)
