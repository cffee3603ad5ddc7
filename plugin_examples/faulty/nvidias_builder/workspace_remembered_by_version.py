"""Returns half of the workspace when it gets the same question again, below version 10."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "GEN-005"

PLUGIN_CASES = SCALE_CASES
FIRST = 10
HAS_NO_TIMING_CACHE = int(trt.__version__.partition(".")[0]) < FIRST


class RememberedWorkspace(ScratchScale):
    asked = set()  # noqa: RUF012 - the defect

    def get_workspace_size(self, inputs, outputs):
        nbytes = super().get_workspace_size(inputs, outputs)
        if not HAS_NO_TIMING_CACHE:
            return nbytes
        question = (inputs[0].desc.type, *inputs[0].max)
        was_asked = question in self.asked
        self.asked.add(question)
        return nbytes // 2 if was_asked else nbytes


publish(RememberedWorkspace)
