"""Stores the context, and forgets to return an object."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-014"

PLUGIN_CASES = SCALE_CASES


class NothingAttached(Scale):
    def attach_to_context(self, context):
        self.context = context


publish(NothingAttached)
