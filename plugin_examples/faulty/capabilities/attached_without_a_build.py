"""Returns a copy without the BUILD capability from attach_to_context."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Runtime, SplitScale

BREAKS = "CAP-013"

PLUGIN_CASES = SCALE_CASES


class RuntimeAlone(Runtime):
    def attach_to_context(self, context):
        other = self.clone_plugin()
        other.build = None
        return other


class AttachedWithoutTheBuild(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.runtime = RuntimeAlone(self, self.factor)


publish(AttachedWithoutTheBuild)
