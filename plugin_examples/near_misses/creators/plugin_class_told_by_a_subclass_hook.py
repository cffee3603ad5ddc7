"""Makes and registers the creator of each plugin class when the class is made."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CRE-001"

PLUGIN_CASES = SCALE_CASES


class Published(Scale):
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        publish(cls)


class Own(Published):
    pass
