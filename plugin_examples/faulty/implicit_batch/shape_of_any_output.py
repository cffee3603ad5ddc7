"""Returns the shape of its one output for every index."""

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES_10, BatchScale, publish

BREAKS = "V2L-002"

PLUGIN_CASES = BATCH_SCALE_CASES_10


class ShapeOfAnyOutput(BatchScale):
    def get_output_shape(self, index, input_shapes):
        return input_shapes[0]


publish(ShapeOfAnyOutput)
