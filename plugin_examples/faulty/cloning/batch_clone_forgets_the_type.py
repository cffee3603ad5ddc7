"""Is configured for a type, and makes clones that compute in FP32 until they are configured themselves."""

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "CLN-004"
ALSO = {"FUZ-008": "damaged data can name another type, which the clones lack"}

PLUGIN_CASES = BATCH_SCALE_CASES


class CloneForgetsTheType(BatchScale):
    def copy_to(self, other):
        other.plugin_namespace = self.plugin_namespace
        other.elements = self.elements
        return other


publish(CloneForgetsTheType)
