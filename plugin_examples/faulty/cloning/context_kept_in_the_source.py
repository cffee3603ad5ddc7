"""Keeps the context's allocator in the source of the attached plugin, and uses it from there."""

from plugin_examples.faulty.bases.sound_resource_v3 import LentScale, upload
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "CLN-015"

PLUGIN_CASES = SCALE_CASES


class ContextKeptInTheSource(LentScale):
    def attach_to_context(self, context):
        self.allocator = context.gpu_allocator
        attached = self.clone()
        attached.source = self
        return attached

    def on_shape_change(self, inputs, outputs):
        self.destroy()
        self.allocator = self.source.allocator
        if self.allocator is not None:
            self.address = self.allocate()
            upload(self.address, self.factor)


publish(ContextKeptInTheSource)
