"""Works on whole tiles first, and keeps in its class meanwhile how many columns are left."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-010"

PLUGIN_CASES = WIDE_CASES

TILE = 8


class TailInTheClass(Scale):
    tail = 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        cls, width = type(self), input_desc[0].dims[-1]
        cls.tail = width % TILE
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            whole = width // TILE * TILE
            cp.multiply(x[..., :whole], x.dtype.type(self.factor), out=y[..., :whole])
            if cls.tail:
                cp.multiply(x[..., -cls.tail :], x.dtype.type(self.factor), out=y[..., -cls.tail :])


publish(TailInTheClass)
