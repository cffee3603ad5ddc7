"""Knows the size of an element of single precision only, and raises where it is asked about half precision."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

BREAKS = "WSP-007"

PLUGIN_CASES = SCALE_CASES

ITEM_SIZES = {trt.DataType.FLOAT: 4}


class WorkspaceOfHalfUnknown(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        return max(trt.volume(input_desc[0].dims), 0) * ITEM_SIZES[input_desc[0].type]


publish(WorkspaceOfHalfUnknown)
