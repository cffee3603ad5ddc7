"""Returns itself for all capabilities once it is attached, and is none of the three."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Runtime, SplitScale

BREAKS = "CAP-003"

PLUGIN_CASES = SCALE_CASES


class AttachingRuntime(Runtime):
    def attach_to_context(self, context):
        attached = super().attach_to_context(context)
        attached.is_attached = True
        return attached


class WholeOnceAttached(SplitScale):
    is_attached = False

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.runtime = AttachingRuntime(self, self.factor)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self if self.is_attached else super().get_capability_interface(type)


publish(WholeOnceAttached)
