"""Remembers the size for each question, under all that it depends on."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

LOOKS_LIKE = "WSP-005"

PLUGIN_CASES = SCALE_CASES


class WorkspaceRememberedByQuestion(ScratchScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.sizes = {}

    def get_workspace_size(self, inputs, outputs):
        key = tuple(inputs[0].max)
        if key not in self.sizes:
            self.sizes[key] = super().get_workspace_size(inputs, outputs)
        return self.sizes[key]


publish(WorkspaceRememberedByQuestion)
