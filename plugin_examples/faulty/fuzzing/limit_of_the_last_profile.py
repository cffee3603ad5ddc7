"""Stores the greatest width that it was configured for last, though an engine may have several profiles."""

import struct

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, device_array, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class LimitedScale(Scale):
    limit = 1 << 30

    def configure_plugin(self, inputs, outputs):
        if -1 in tuple(inputs[0].desc.dims):
            self.limit = inputs[0].max[-1]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x[..., : self.limit], x.dtype.type(self.factor), out=y[..., : self.limit])

    def serialize(self):
        return struct.pack("<fi", self.factor, self.limit)

    def clone(self):
        other = super().clone()
        other.limit = self.limit
        return other


class LimitedScaleCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != struct.calcsize("<fi"):
            return None
        factor, limit = struct.unpack("<fi", data)
        plugin = self.make(factor)
        plugin.limit = limit
        return plugin


publish(LimitedScale, LimitedScaleCreator)
