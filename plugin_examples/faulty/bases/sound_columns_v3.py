"""A sound IPluginV3 for witnesses to build upon: ``y = factor * (1 + column) * x``, with what it knows of shapes kept.

``on_shape_change`` looks up how many columns a shape has under the whole shape. It registers nothing when it is
imported.
"""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_scale_v3
from plugin_examples.faulty.bases.sound_columns import reference, weigh
from plugin_examples.faulty.bases.sound_scale_v3 import Scale, device_array


class Columns(Scale):
    columns = 1

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.known = {}

    def on_shape_change(self, inputs, outputs):
        dims = tuple(inputs[0].dims)
        self.columns = self.known.setdefault(self.key(dims), dims[-1])

    def key(self, dims):
        return dims

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            weigh(x.ravel(), y.ravel(), self.factor, self.columns)


COLUMNS_CASES = [{**sound_scale_v3.SCALE_CASES[0], "reference": reference}]
