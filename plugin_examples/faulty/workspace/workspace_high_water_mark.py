"""Answers with the most workspace that it has ever been asked about, not with what this shape needs."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "WSP-005"

PLUGIN_CASES = SCALE_CASES


class WorkspaceHighWaterMark(ScratchScale):
    most = 0

    def get_workspace_size(self, input_desc, output_desc):
        self.most = max(self.most, nbytes(input_desc[0]))
        return self.most

    def clone(self):
        other = super().clone()
        other.most = self.most
        return other


publish(WorkspaceHighWaterMark)
