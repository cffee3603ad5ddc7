"""Raises in ``configure_plugin`` for a single column of half precision: TensorRT does not see the exception."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-005"
ALSO = {"CFG-012": "configure_plugin raises for an accepted combination"}
FIXED = {
    (
        "if inputs[0].desc.type == trt.DataType.HALF and inputs[0].desc.dims[-1] == 1:\n"
        '    raise ValueError("half precision goes by pairs of columns")'
    ): "self.is_paired = inputs[0].desc.dims[-1] != 1  # enqueue also computes one column",
}

PLUGIN_CASES = SCALE_CASES


class SingleHalfColumnRejected(Scale):
    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.type == trt.DataType.HALF and inputs[0].desc.dims[-1] == 1:
            raise ValueError("half precision goes by pairs of columns")


publish(SingleHalfColumnRejected)
