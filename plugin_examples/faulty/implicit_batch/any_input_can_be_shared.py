"""Returns True for any index, also for inputs that it does not have."""

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES_10, BatchAdd, publish

BREAKS = "V2L-006"

PLUGIN_CASES = BATCH_ADD_CASES_10


class AnyInputCanBeShared(BatchAdd):
    def can_broadcast_input_across_batch(self, input_index):
        return True


publish(AnyInputCanBeShared)
