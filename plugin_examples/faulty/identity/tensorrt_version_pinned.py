"""Answers with the TensorRT version that it was written for."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-009"
FIXED = {"@property\ndef tensorrt_version(self):\n    return 8601": "pass  # the base class has tensorrt_version"}

PLUGIN_CASES = SCALE_CASES


class TensorrtVersionPinned(Scale):
    @property
    def tensorrt_version(self):
        return 8601


publish(TensorrtVersionPinned)
