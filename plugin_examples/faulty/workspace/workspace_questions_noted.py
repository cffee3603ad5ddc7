"""Appends every query of its workspace to a list for statistics, which is never emptied."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "WSP-005"

PLUGIN_CASES = SCALE_CASES


class WorkspaceQuestionsNoted(ScratchScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.asked = []

    def get_workspace_size(self, inputs, outputs):
        self.asked.append((tuple(inputs[0].max), inputs[0].desc.type))
        return super().get_workspace_size(inputs, outputs)


publish(WorkspaceQuestionsNoted)
