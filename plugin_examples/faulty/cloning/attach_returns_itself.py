"""Returns itself from attach_to_context, since it holds nothing."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-013"

PLUGIN_CASES = SCALE_CASES


class AttachesItself(Scale):
    def attach_to_context(self, context):
        return self


publish(AttachesItself)
