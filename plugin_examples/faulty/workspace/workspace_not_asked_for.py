"""Uses a workspace, and forgets to ask for it: the size is 0 by default."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

BREAKS = "WSP-006"
ALSO = {"ENQ-010": "enqueue raises at the null address"}

PLUGIN_CASES = SCALE_CASES


class WorkspaceNotAskedFor(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        return 0


publish(WorkspaceNotAskedFor)
