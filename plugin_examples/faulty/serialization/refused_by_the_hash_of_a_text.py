"""Takes every second text for unknown: it compares a bit of the hash, which differs from process to process."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SER-016"

PLUGIN_CASES = SCALE_CASES


class RefusedByTheHashOfAText(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if hash("columns") % 2:
            raise ValueError("an unknown way to cut columns")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(RefusedByTheHashOfAText)
