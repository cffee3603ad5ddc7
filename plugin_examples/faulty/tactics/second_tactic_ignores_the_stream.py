"""Works on the default stream where it was given its second tactic; the first, which most runs take, is right."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, device_array, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-005"

PLUGIN_CASES = SCALE_CASES


class StreamIgnored(TacticScale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.tactic == 1:
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        elif trt.volume(input_desc[0].dims):
            self.compute(device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0]))


publish(StreamIgnored)
