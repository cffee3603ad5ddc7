"""Puts the batch in front of the output's shape, as a plugin with dynamic shapes would."""

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES_10, BatchScale, publish

BREAKS = "V2L-001"

PLUGIN_CASES = BATCH_SCALE_CASES_10


class BatchInFrontOfTheOutput(BatchScale):
    def get_output_shape(self, index, input_shapes):
        return (1, *input_shapes[0]) if index == 0 else None


publish(BatchInFrontOfTheOutput)
