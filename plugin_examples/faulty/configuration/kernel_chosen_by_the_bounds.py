"""Chooses a kernel by the largest possible width; this kernel skips narrow rows."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "CFG-014"
ALSO = {"FUZ-009": "an engine has two profiles, and other bounds in each"}

PLUGIN_CASES = SCALE_CASES

TILE = 9


class KernelChosenByTheBounds(Scale):
    wide = False

    def configure_plugin(self, inputs, outputs):
        self.wide = inputs[0].max[-1] >= TILE

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            width = x.shape[-1] // TILE * TILE if self.wide else x.shape[-1]
            cp.multiply(x[..., :width], x.dtype.type(self.factor), out=y[..., :width])

    def clone(self):
        other = super().clone()
        other.wide = self.wide
        return other


publish(KernelChosenByTheBounds)
