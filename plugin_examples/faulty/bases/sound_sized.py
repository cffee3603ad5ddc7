"""A sound plugin for witnesses to build upon: ``y = factor * x`` over as many elements as it was configured for.

``configure_plugin`` notes the dimensions, ``enqueue`` uses them, and clones get them. It registers nothing when it is
imported.
"""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array


class SizedScale(Scale):
    count = None

    def configure_plugin(self, inputs, outputs):
        self.count = self.elements(inputs[0])

    def elements(self, bounds):
        dims = bounds.max if -1 in tuple(bounds.desc.dims) else bounds.desc.dims
        return trt.volume(dims)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            self.compute(x.ravel()[: self.count], y.ravel()[: self.count])

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.factor), out=y)

    def clone(self):
        other = super().clone()
        other.count = self.count
        return other
