"""Ends a record in ``terminate`` that has an entry of each shape, and none where no shape has changed."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

BREAKS = "INI-005"

PLUGIN_CASES = SCALE_CASES


class NeedsTwoShapes(SizedScale):
    def initialize(self):
        self.changes = 0

    def configure_plugin(self, inputs, outputs):
        before = self.count
        super().configure_plugin(inputs, outputs)
        self.changes = getattr(self, "changes", 0) + (before != self.count)

    def terminate(self):
        if self.changes > 1:
            raise RuntimeError(f"{self.changes} changes were never looked at")


publish(NeedsTwoShapes)
