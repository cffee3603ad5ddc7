"""Takes the greatest dimensions for its workspace, but those that it is shown where the input is FP16."""

import math

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "WSP-004"

PLUGIN_CASES = SCALE_CASES


class WorkspaceOfHalfFromWildcards(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        here = inputs[0]
        dims = here.desc.dims if here.desc.type == trt.DataType.HALF else here.max
        return 4 * math.prod(max(extent, 1) for extent in dims)


publish(WorkspaceOfHalfFromWildcards)
