"""Allocates its scratch memory in every ``enqueue`` instead of asking for workspace."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "WSP-010"
FIXED = {
    (
        "def get_workspace_size(self, input_desc, output_desc):\n"
        "    return 0\n"
        "\n"
        "def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):\n"
        "    if trt.volume(input_desc[0].dims) == 0:\n"
        "        return\n"
        "    scratch = cp.cuda.runtime.mallocAsync(nbytes(input_desc[0]), stream)\n"
        "    super().enqueue(input_desc, output_desc, inputs, outputs, scratch, stream)\n"
        "    cp.cuda.runtime.freeAsync(scratch, stream)"
    ): (
        "def get_workspace_size(self, input_desc, output_desc):\n"
        "    return nbytes(input_desc[0])\n"
        "\n"
        "def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):\n"
        "    super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)"
    ),
}

PLUGIN_CASES = SCALE_CASES


class EnqueueAllocatesScratch(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        return 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        scratch = cp.cuda.runtime.mallocAsync(nbytes(input_desc[0]), stream)
        super().enqueue(input_desc, output_desc, inputs, outputs, scratch, stream)
        cp.cuda.runtime.freeAsync(scratch, stream)


publish(EnqueueAllocatesScratch)
