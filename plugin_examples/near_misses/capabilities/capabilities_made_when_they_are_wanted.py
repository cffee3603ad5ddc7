"""Makes the object that builds when it is asked for it the first time, keeps it, and counts the queries."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Build, SplitScale

LOOKS_LIKE = "CAP-007"

PLUGIN_CASES = SCALE_CASES


class MadeWhenWanted(SplitScale):
    queries = 0

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.build = None

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        self.queries += 1
        if type == trt.PluginCapabilityType.BUILD and self.build is None:
            self.build = Build(self)
        return super().get_capability_interface(type)


publish(MadeWhenWanted)
