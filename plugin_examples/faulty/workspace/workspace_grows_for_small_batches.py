"""Splits the work of small batches, and needs more workspace for them than for the largest."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "WSP-002"

PLUGIN_CASES = SCALE_CASES

WORKERS = 8
PARTIAL_SUMS = 256  # bytes that each part of the work needs


class WorkspaceGrowsForSmallBatches(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        batch = input_desc[0].dims[0]
        parts = WORKERS // batch if batch > 0 else 0
        return nbytes(input_desc[0]) + parts * PARTIAL_SUMS


publish(WorkspaceGrowsForSmallBatches)
