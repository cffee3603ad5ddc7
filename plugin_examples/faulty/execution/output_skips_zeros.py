"""Writes only where the result is not zero, and trusts that the output is zeroed."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SPARSE_CASES, Scale, device_array, publish

BREAKS = "ENQ-005"
ALSO = {"ENQ-010": "the zeros that it leaves out are missing from the result"}

PLUGIN_CASES = SPARSE_CASES


class OutputSkipsZeros(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            result = x * x.dtype.type(self.factor)
            cp.copyto(y, result, where=result != 0)


publish(OutputSkipsZeros)
