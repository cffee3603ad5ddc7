"""Asks for more than two gigabytes of workspace, which a large model may need."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "WSP-001"

PLUGIN_CASES = SCALE_CASES


class Gigabytes(Scale):
    def get_workspace_size(self, input_desc, output_desc):
        return 2**31 + 4096


publish(Gigabytes, ScaleCreator)
