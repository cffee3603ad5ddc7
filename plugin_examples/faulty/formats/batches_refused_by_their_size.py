"""Refuses batches above 3 in the format query. So a dynamic batch is accepted, and a fixed batch of 4 is not."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FMT-019"

PLUGIN_CASES = SCALE_CASES[:1]


class SmallBatchesOnly(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if in_out[pos].desc.dims[0] > 3:  # noqa: PLR2004 - the limit
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(SmallBatchesOnly)
