"""A sound plugin for witnesses to build upon: ``y = x * step * width`` with ``step = factor / width`` on the device.

The step is computed whenever the plugin is configured for a shape that runs. It is replaced and never rewritten, so
clones may share it. It registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array


class TunedScale(Scale):
    step = None

    def configure_plugin(self, inputs, outputs):
        width = inputs[0].desc.dims[-1]
        if width > 0:
            self.store_step(self.factor / width)
            cp.cuda.runtime.streamSynchronize(0)

    def store_step(self, value):
        self.step = cp.asarray(np.array([value], np.float32))

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x * self.step * x.shape[-1]

    def clone(self):
        other = super().clone()
        other.step = self.step
        return other
