"""Keeps the INT8 scales in memory only: a plugin deserialized from the data has none."""

from plugin_examples.faulty.bases.sound_batch_quantized import BATCH_QUANTIZED_CASES, STORED, BatchQuantized, publish

BREAKS = "CFG-016"

PLUGIN_CASES = BATCH_QUANTIZED_CASES


class ScalesLeftOutOfTheData(BatchQuantized):
    def serialize(self):
        return STORED.pack(self.factor, self.elements, int(self.dtype), 1.0, 2.0)


publish(ScalesLeftOutOfTheData)
