"""Has in its metadata the shape that it ran with last."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "TAC-015"
FIXED = {'metadata_string = f"factor={self.factor},width={inputs[0].dims[-1]}"': "width = inputs[0].dims[-1]"}

PLUGIN_CASES = SCALE_CASES


class TellsTheLastShape(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.metadata_string = f"factor={self.factor}"

    def on_shape_change(self, inputs, outputs):
        self.metadata_string = f"factor={self.factor},width={inputs[0].dims[-1]}"


publish(TellsTheLastShape)
