"""Accepts half precision, but its table of kernels does not have it."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-012"
FIXED = {
    'KERNELS = {trt.DataType.FLOAT: "scale_float"}': (
        'KERNELS = {trt.DataType.FLOAT: "scale_float", trt.DataType.HALF: "scale_half"}'
    ),
}

PLUGIN_CASES = SCALE_CASES

KERNELS = {trt.DataType.FLOAT: "scale_float"}


class HalfUnknownToConfiguration(Scale):
    def configure_plugin(self, inputs, outputs):
        self.kernel = KERNELS[inputs[0].desc.type]


publish(HalfUnknownToConfiguration)
