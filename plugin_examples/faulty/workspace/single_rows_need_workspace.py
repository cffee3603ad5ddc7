"""Needs workspace for a single row, and none for more of them, so that the largest shape asks for nothing."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, device_array, publish

BREAKS = "WSP-002"

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "min": (1, 3, 1)}]}]


class SingleRowsNeedWorkspace(Scale):
    def get_workspace_size(self, inputs, outputs):
        rows, *extents = inputs[0].max
        return 4 * extents[0] * extents[1] if rows == 1 else 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if input_desc[0].dims[0] != 1:
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
            return
        with cp.cuda.ExternalStream(stream):
            copied = device_array(input_desc[0], workspace)
            copied[...] = device_array(input_desc[0], inputs[0])
            self.compute(copied, device_array(output_desc[0], outputs[0]))


publish(SingleRowsNeedWorkspace)
