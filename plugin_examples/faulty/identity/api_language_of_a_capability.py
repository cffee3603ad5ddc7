"""Says of the object that runs that it is written in C++."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Runtime, SplitScale

BREAKS = "ID-009"

PLUGIN_CASES = SCALE_CASES


class ForeignRuntime(Runtime):
    api_language = trt.APILanguage.CPP


class ForeignSplit(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.runtime = ForeignRuntime(self, self.factor)


publish(ForeignSplit)
