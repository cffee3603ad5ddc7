"""Has its version as a class attribute, which hides the attribute that TensorRT reads."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-005"
ALSO = {"SER-012": "the attribute is missing on deserialized objects too"}

PLUGIN_CASES = SCALE_CASES


class VersionAsAClassAttribute(Scale):
    plugin_version = "1"


publish(VersionAsAClassAttribute)
