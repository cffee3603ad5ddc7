"""Prepares a table for each width and frees the oldest of three, though a context may still use it."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import DeviceTable, TableScale

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES

MOST = 3


class PreparedWidths(TableScale):
    width = None

    def __init__(self, factor):
        super().__init__(factor)
        self.prepared = {}

    def initialize(self):
        pass

    def terminate(self):
        while self.prepared:
            self.prepared.popitem()[1].release()

    def configure_plugin(self, inputs, outputs):
        self.width = inputs[0].desc.dims[-1]

    def compute(self, x, y):
        if self.width not in self.prepared:
            if len(self.prepared) == MOST:
                self.prepared.pop(next(iter(self.prepared))).release()
            self.prepared[self.width] = DeviceTable([self.factor])
        self.table = self.prepared[self.width]
        super().compute(x, y)

    def destroy(self):
        self.terminate()

    def clone(self):
        other = self.copy_identity_to(type(self)(self.factor))
        other.prepared, other.width = self.prepared, self.width
        return other


publish(PreparedWidths)
