"""Rejects FP16 where a dimension is -1, which it accepted in the query for formats."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-002"
ALSO = {"CFG-012": "configure_plugin raises for an accepted combination"}

PLUGIN_CASES = SCALE_CASES


class DynamicHalfRejected(Scale):
    def configure_plugin(self, inputs, outputs):
        here = inputs[0].desc
        if here.type == trt.DataType.HALF and here.dims[-1] < 0:
            raise ValueError("the width must be known")


publish(DynamicHalfRejected)
