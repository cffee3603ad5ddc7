"""Works on the default stream instead of the stream argument."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-003"
FIXED = {
    "super().enqueue(input_desc, output_desc, inputs, outputs, workspace, 0)": (
        "super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)"
    ),
}

PLUGIN_CASES = SCALE_CASES


class EnqueueIgnoresTheStream(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, 0)


publish(EnqueueIgnoresTheStream)
