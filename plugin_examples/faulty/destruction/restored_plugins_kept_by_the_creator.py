"""Has a creator that keeps the plugins that it has made of stored data, to look at them one day."""

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, BatchScaleCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "DST-006"

PLUGIN_CASES = BATCH_SCALE_CASES


class Creator(BatchScaleCreator):
    def __init__(self):
        super().__init__()
        self.restored = []

    def deserialize_plugin(self, name, data):
        plugin = super().deserialize_plugin(name, data)
        self.restored.append(plugin)
        return plugin


publish(BatchScale, Creator)
