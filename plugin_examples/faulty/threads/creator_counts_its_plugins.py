"""Counts in the creator how many plugins it has made."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "THR-009"

PLUGIN_CASES = SCALE_CASES


class CountingCreator(ScaleCreator):
    made = 0

    def make(self, factor):
        self.made += 1
        return super().make(factor)


publish(Scale, CountingCreator)
