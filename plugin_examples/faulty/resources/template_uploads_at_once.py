"""Uploads the factor in the resource's ``__init__``: what is offered to the registry in vain holds it for ever."""

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-003"
ALSO = {
    "DST-001": "the offered resource still holds its memory when all plugins are destroyed",
    "DST-008": "each context offers another resource",
}

PLUGIN_CASES = SCALE_CASES


class FactorFromTheStart(Factor):
    def __init__(self, factor):
        super().__init__(factor)
        self.acquire()

    def clone(self):
        return type(self)(self.factor)


class TemplateUploadsAtOnce(SharedScale):
    resource_class = FactorFromTheStart


publish(TemplateUploadsAtOnce)
