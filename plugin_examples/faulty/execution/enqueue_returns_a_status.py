"""Returns 0 for success, as in C++; a 1 for failure would be ignored too."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-002"
FIXED = {"return 0": "return"}

PLUGIN_CASES = SCALE_CASES


class EnqueueReturnsAStatus(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        return 0


publish(EnqueueReturnsAStatus)
