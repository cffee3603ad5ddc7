"""Leaves a record of each context that goes in a list of the engine's object."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

BREAKS = "DST-008"

PLUGIN_CASES = SCALE_CASES


class KeepsRecords(SplitScale):
    engine = None

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.records = []

    def clone(self):
        other = super().clone()
        other.engine = self
        return other

    def destroy(self):
        if self.engine is not None:
            self.engine.records.append({"factor": self.factor, "records": len(self.records)})


publish(KeepsRecords)
