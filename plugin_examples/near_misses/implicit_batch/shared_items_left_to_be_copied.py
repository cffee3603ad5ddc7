"""Takes each input for a whole batch, and says that it cannot read one item for all: they are copied."""

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

LOOKS_LIKE = "V2L-004"

ITEM = {"dims": (1, 3, 5)}
SHARED = {**BATCH_ADD_CASES[0], "name": "item", "inputs": [BATCH_ADD_CASES[0]["inputs"][0], ITEM]}
PLUGIN_CASES = [*BATCH_ADD_CASES, SHARED]


class SharedItemsLeftToBeCopied(BatchAdd):
    def can_broadcast_input_across_batch(self, input_index):
        return False

    def configure_plugin(self, *arguments):
        super().configure_plugin(*arguments)
        self.shared = (False, False, False)


publish(SharedItemsLeftToBeCopied)
