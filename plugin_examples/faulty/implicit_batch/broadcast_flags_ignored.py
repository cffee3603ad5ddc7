"""Reads as many items of every input as the batch has, also of an input that the batch shares."""

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

BREAKS = "V2L-005"

PLUGIN_CASES = BATCH_ADD_CASES


class BroadcastFlagsIgnored(BatchAdd):
    def configure_plugin(self, *arguments):
        super().configure_plugin(*arguments)
        self.shared = (False, False, False)


publish(BroadcastFlagsIgnored)
