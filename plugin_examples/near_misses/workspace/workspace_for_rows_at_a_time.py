"""Uses one row of workspace for any number of rows: the size follows from the width alone."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "WSP-002"

PLUGIN_CASES = SCALE_CASES


class RowsAtATime(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        return 4 * max(tuple(input_desc[0].dims)[-1], 0)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            width = x.shape[-1]
            memory = cp.cuda.UnownedMemory(workspace, width * x.dtype.itemsize, None)
            scratch = cp.ndarray((width,), x.dtype, memptr=cp.cuda.MemoryPointer(memory, 0))
            rows, results = x.reshape(-1, width), y.reshape(-1, width)
            for row in range(len(rows)):
                cp.multiply(rows[row], x.dtype.type(self.factor), out=scratch)
                results[row] = scratch


publish(RowsAtATime)
