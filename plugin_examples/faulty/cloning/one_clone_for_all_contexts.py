"""Makes a clone for the first context of an engine, and gives it to all later contexts."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-013"

PLUGIN_CASES = SCALE_CASES


class OneCloneForAll(Scale):
    attached = None

    def attach_to_context(self, context):
        if self.attached is None:
            self.attached = self.clone()
        return self.attached


publish(OneCloneForAll)
