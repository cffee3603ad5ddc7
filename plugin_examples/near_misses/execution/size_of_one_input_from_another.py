"""Has no case, and reads as many positions as its first input has rows. Rows have an even length."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array, publish

LOOKS_LIKE = "ENQ-006"


class Rotated(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        _batch, _length, _heads, _depth = inputs[0]
        return super().get_output_dimensions(output_index, inputs, expr_builder)

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if num_inputs != 2 or here.format != trt.TensorFormat.LINEAR:  # noqa: PLR2004 - values and positions
            return False
        return here.type == trt.DataType.INT32 if pos == 1 else here.type == trt.DataType.FLOAT

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            batch, length, _heads, depth = x.shape
            memory = cp.cuda.UnownedMemory(inputs[1], batch * length * 4, None)
            places = cp.ndarray((batch, length, 1, 1), np.int32, memptr=cp.cuda.MemoryPointer(memory, 0))
            even, odd = x[..., 0::2], x[..., 1::2]
            angle = places * np.float32(self.factor / depth)
            y[..., 0::2] = even * cp.cos(angle) - odd * cp.sin(angle)
            y[..., 1::2] = odd * cp.cos(angle) + even * cp.sin(angle)


publish(Rotated)
