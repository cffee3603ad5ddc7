"""Lists in the object of the engine what it has attached to contexts, and never removes it."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "DST-008"

PLUGIN_CASES = SCALE_CASES


class ListsContexts(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.attached = []

    def attach_to_context(self, context):
        self.attached.append(self.clone())
        return self.attached[-1]


publish(ListsContexts)
