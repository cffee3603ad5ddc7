"""Takes the width from the build, where it is the largest that the profile allows."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-009"
ALSO = {
    "ENQ-010": "the result is wrong if the width is not the largest",
    "SER-004": "a loaded plugin, which was never built, computes something else",
}

PLUGIN_CASES = SCALE_CASES


class ExtentsFromTheBuild(Scale):
    width = None

    def configure_plugin(self, inputs, outputs):
        if -1 in tuple(inputs[0].desc.dims):
            self.width = inputs[0].max[-1]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x * x.dtype.type(self.factor * x.shape[-1] / (self.width or x.shape[-1]))

    def clone(self):
        other = super().clone()
        other.width = self.width
        return other


publish(ExtentsFromTheBuild)
