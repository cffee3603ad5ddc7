"""Takes one of sixteen slots whenever it is configured to run, and only ``initialize`` fills them again."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-007"
FIXED = {"self.slot = self.slots.pop()": "self.slot = self.slots[0]"}

PLUGIN_CASES = SCALE_CASES

SLOTS = 16


class SlotsRunOut(Scale):
    slots = ()

    def initialize(self):
        self.slots = list(range(SLOTS))

    def configure_plugin(self, inputs, outputs):
        if self.slots is not self.__class__.slots:
            self.slot = self.slots.pop()

    def clone(self):
        other = super().clone()
        if self.slots is not self.__class__.slots:
            other.slots = list(range(SLOTS))
        return other


publish(SlotsRunOut)
