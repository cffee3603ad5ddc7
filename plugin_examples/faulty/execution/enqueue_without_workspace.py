"""Its ``enqueue`` lacks the workspace argument."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-001"
FIXED = {
    "def enqueue(self, input_desc, output_desc, inputs, outputs, stream):": (
        "def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):"
    ),
}

PLUGIN_CASES = SCALE_CASES


class EnqueueWithoutWorkspace(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, 0, stream)


publish(EnqueueWithoutWorkspace)
