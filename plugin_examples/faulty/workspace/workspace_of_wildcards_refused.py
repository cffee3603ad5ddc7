"""Refuses to name a size for unknown dimensions, though every build of a dynamic network has them."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "WSP-007"

PLUGIN_CASES = SCALE_CASES


class WorkspaceOfWildcardsRefused(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        if min(inputs[0].desc.dims) < 0:
            raise ValueError("the dimensions are not known")
        return super().get_workspace_size(inputs, outputs)


publish(WorkspaceOfWildcardsRefused)
