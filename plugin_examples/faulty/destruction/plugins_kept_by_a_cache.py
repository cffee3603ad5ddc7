"""Keeps its serialized form in a cache of the class, whose keys are the plugins."""

import functools

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "DST-006"

PLUGIN_CASES = SCALE_CASES


class KeptByACache(Scale):
    @functools.lru_cache(maxsize=None)  # noqa: B019, UP033 - that is the defect
    def packed(self):
        return super().serialize()

    def serialize(self):
        return self.packed()


publish(KeptByACache)
