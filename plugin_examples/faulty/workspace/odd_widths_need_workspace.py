"""Works in place where the width is a multiple of four, and needs workspace for all others."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish
from plugin_examples.faulty.bases.sound_scratch import nbytes

BREAKS = "WSP-002"

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "max": (4, 3, 8)}]}]


class OddWidthsNeedWorkspace(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        return 0 if input_desc[0].dims[-1] % 4 == 0 else nbytes(input_desc[0])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.get_workspace_size(input_desc, output_desc) == 0:
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
            return
        with cp.cuda.ExternalStream(stream):
            padded = device_array(input_desc[0], workspace)
            padded[...] = device_array(input_desc[0], inputs[0])
            cp.multiply(padded, padded.dtype.type(self.factor), out=device_array(output_desc[0], outputs[0]))


publish(OddWidthsNeedWorkspace)
