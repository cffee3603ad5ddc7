"""Drops the factor once it is on the device, and has none to upload when it is initialized again."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import DeviceTable, TableScale

BREAKS = "INI-003"
ALSO = {"ENQ-020": "for each combination, one object is initialized and terminated again"}

PLUGIN_CASES = SCALE_CASES


class FactorDroppedAfterUpload(TableScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.pending = [factor]

    def initialize(self):
        self.table = DeviceTable(self.pending or [1.0])
        self.pending = []


publish(FactorDroppedAfterUpload)
