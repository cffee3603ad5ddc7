"""Has in its metadata that it was configured for FP16."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Build, SplitScale

BREAKS = "TAC-015"

PLUGIN_CASES = SCALE_CASES


class TellingBuild(Build):
    def __init__(self, plugin):
        super().__init__(plugin)
        self.metadata_string = "scale"

    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.type == trt.DataType.HALF:
            self.metadata_string = "scale of halves"


class TellsTheType(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.build = TellingBuild(self)


publish(TellsTheType)
