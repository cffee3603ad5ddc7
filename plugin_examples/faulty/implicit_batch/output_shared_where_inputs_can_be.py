"""Returns True for its output only if TensorRT need not copy its first input."""

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

BREAKS = "V2L-004"

PLUGIN_CASES = BATCH_ADD_CASES


class OutputSharedWhereInputsCanBe(BatchAdd):
    def is_output_broadcast_across_batch(self, output_index, input_is_broadcasted):
        return all(input_is_broadcasted) and self.can_broadcast_input_across_batch(0)


publish(OutputSharedWhereInputsCanBe)
