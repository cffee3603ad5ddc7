"""Launches blocks of 1024 threads: one if that is enough, otherwise full blocks only, without the last block."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"

BLOCK = 1024


class FullBlocksOnly(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        threads = max(1, trt.volume(input_desc[0].dims) // BLOCK) * BLOCK
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x.ravel()[:threads], x.dtype.type(self.factor), out=y.ravel()[:threads])


publish(FullBlocksOnly)

BATCHES = {"dims": ("N", 4, "W"), "min": (1, 4, 16), "opt": (8, 4, 32), "max": (16, 4, 48)}

PLUGIN_CASES = [{**SCALE_CASES[0], "name": "batches", "inputs": [BATCHES]}]
