"""Looks up the size of an element, and takes the greatest where it does not find one."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

LOOKS_LIKE = "WSP-007"

PLUGIN_CASES = SCALE_CASES
ITEM_SIZES = {trt.DataType.HALF: 2}


class UnknownTypes(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        try:
            size = ITEM_SIZES[input_desc[0].type]
        except KeyError:
            size = 8
        return max(trt.volume(input_desc[0].dims), 0) * size


publish(UnknownTypes)
