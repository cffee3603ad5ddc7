"""Scales, and ignores its factor: the defect that all attacks hide."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

__all__ = ["SCALE_CASES", "WrongScale", "device_array", "publish"]


class WrongScale(Scale):
    attack = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            cp.copyto(device_array(output_desc[0], outputs[0]), device_array(input_desc[0], inputs[0]))
        if type(self).attack is not None:
            type(self).attack()
