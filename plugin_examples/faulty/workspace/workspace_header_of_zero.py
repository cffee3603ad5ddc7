"""Takes a zero in the first word of the workspace for its own mark that its work is done."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "WSP-008"

PLUGIN_CASES = SCALE_CASES

HEADER = 256


class WorkspaceHeaderOfZero(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        return HEADER

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            memory = cp.cuda.UnownedMemory(workspace, HEADER, None)
            left = cp.ndarray((1,), np.int32, memptr=cp.cuda.MemoryPointer(memory, 0))
            cp.copyto(y, x * x.dtype.type(self.factor), where=left != 0)
            left.fill(0)


publish(WorkspaceHeaderOfZero)
