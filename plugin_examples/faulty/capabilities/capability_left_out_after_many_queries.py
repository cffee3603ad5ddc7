"""Keeps an entry for each query, and returns no capability after 120 queries."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-004"
FIXED = {"return self.parts.pop() if self.parts else None": "return self"}

PLUGIN_CASES = SCALE_CASES


class EndsAfterMany(Scale):
    def __init__(self, factor, phase):
        super().__init__(factor, phase)
        self.parts = [self] * 120

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self.parts.pop() if self.parts else None


publish(EndsAfterMany)
