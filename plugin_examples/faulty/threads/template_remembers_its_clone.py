"""Lets the template of a resource hold the clone that is being made."""

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "THR-008"

PLUGIN_CASES = SCALE_CASES


class FactorOfATemplate(Factor):
    made = None

    def clone(self):
        self.made = type(self)(self.factor)
        self.made.acquire()
        return self.made


class TemplateRemembers(SharedScale):
    resource_class = FactorOfATemplate


publish(TemplateRemembers)
