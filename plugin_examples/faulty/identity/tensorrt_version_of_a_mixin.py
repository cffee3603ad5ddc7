"""Inherits the TensorRT version from a class that it shares with other plugins."""

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "ID-009"

PLUGIN_CASES = BATCH_SCALE_CASES


class Versioned:
    tensorrt_version = 8601


class VersionOfAMixin(Versioned, BatchScale):
    pass


publish(VersionOfAMixin)
