"""A sound plugin for witnesses to build upon: ``y = factor * (1 + column) * x``, with what it knows of shapes kept.

``configure_plugin`` looks up how many columns a shape has under the whole shape; clones get what is known. It registers
nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases import sound_scale
from plugin_examples.faulty.bases.sound_scale import Scale, device_array


class Columns(Scale):
    columns = 1

    def __init__(self, factor):
        super().__init__(factor)
        self.known = {}

    def configure_plugin(self, inputs, outputs):
        dims = tuple(inputs[0].desc.dims)
        if -1 not in dims:
            self.columns = self.known.setdefault(self.key(dims), dims[-1])

    def key(self, dims):
        return dims

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            weigh(x.ravel(), y.ravel(), self.factor, self.columns)

    def clone(self):
        other = super().clone()
        other.columns, other.known = self.columns, dict(self.known)
        return other


def weigh(x, y, factor, columns):
    weights = factor * (1 + cp.arange(x.size) % columns)
    cp.copyto(y, x.astype(np.float32) * weights.astype(np.float32), casting="same_kind")


def reference(x, *, fields):
    weights = np.float32(fields["factor"][0]) * (1 + np.arange(x.shape[-1], dtype=np.float32))
    return (x * weights).astype(x.dtype)


COLUMNS_CASES = [{**sound_scale.SCALE_CASES[0], "reference": reference}]
