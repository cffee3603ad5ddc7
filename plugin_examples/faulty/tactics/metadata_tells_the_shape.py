"""Has in its metadata the width that it was configured for last."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "TAC-015"

PLUGIN_CASES = SCALE_CASES


class TellsTheShape(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.metadata_string = f"factor={self.factor}"

    def configure_plugin(self, inputs, outputs):
        self.metadata_string = f"factor={self.factor},width={inputs[0].max[-1]}"


publish(TellsTheShape)
