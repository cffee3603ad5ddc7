"""Uses one row of workspace more than it asked for."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, device_array, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

BREAKS = "WSP-003"
ALSO = {"ENQ-010": "the host device stops the first access beyond the end, so enqueue raises"}
FIXED = {"channels + 1": "channels"}

PLUGIN_CASES = SCALE_CASES


class WorkspaceOneRowShort(ScratchScale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        rows, channels, width = input_desc[0].dims
        if trt.volume(input_desc[0].dims):
            input_desc[0].dims = trt.Dims([rows * channels + 1, 1, width])
            with cp.cuda.ExternalStream(stream):
                device_array(input_desc[0], workspace)[-1].fill(0)  # a row of zeros to read past the end


publish(WorkspaceOneRowShort)
