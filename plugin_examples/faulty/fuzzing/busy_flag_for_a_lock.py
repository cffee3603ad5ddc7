"""Guards all objects' scratch pad with a flag, which two threads may find down before one raises it."""

import time

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-010"
ALSO = {"FUZ-009": "contexts on different streams meet in the same table"}

PLUGIN_CASES = WIDE_CASES


PADS = {}


class BusyFlag(Scale):
    busy = False

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        while BusyFlag.busy:
            time.sleep(0)
        BusyFlag.busy = True
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            pad = PADS.setdefault(x.dtype, cp.empty(1 << 15, x.dtype))[: x.size]
            cp.multiply(x.ravel(), x.dtype.type(self.factor), out=pad)
            y.ravel()[...] = pad
        BusyFlag.busy = False


publish(BusyFlag)
