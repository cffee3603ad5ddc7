"""Returns how many items it processed, which TensorRT takes for a status."""

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "V2L-011"

PLUGIN_CASES = BATCH_SCALE_CASES


class NumberOfItemsReturned(BatchScale):
    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        super().execute_async(batch_size, inputs, outputs, workspace, stream_handle)
        return batch_size


publish(NumberOfItemsReturned)
