"""Tunes its factor while it is built, keeps it in a module global, and needs it in ``enqueue``."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-021"

PLUGIN_CASES = SCALE_CASES


TUNED = {}


class TableInAModuleGlobal(Scale):
    building = True

    def configure_plugin(self, inputs, outputs):
        if self.building:
            TUNED["factor"] = self.factor

    def initialize(self):
        self.building = False

    def copy_identity_to(self, other):
        other.building = self.building
        return super().copy_identity_to(other)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if not TUNED:
            raise RuntimeError("no factor has been tuned")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(TableInAModuleGlobal)
