"""Makes proper clones of a new object, and of a configured one clones of the base class."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-011"

PLUGIN_CASES = SCALE_CASES


class BaseScale(Scale):
    def clone(self):
        return self.copy_identity_to(BaseScale(self.factor))


class NamedScale(BaseScale):
    configured = initialized = False

    def configure_plugin(self, inputs, outputs):
        self.configured = True

    def initialize(self):
        self.initialized = True

    def terminate(self):
        self.initialized = False

    def clone(self):
        if self.configured and not self.initialized:
            return super().clone()
        other = self.copy_identity_to(type(self)(self.factor))
        other.configured, other.initialized = self.configured, self.initialized
        return other


publish(NamedScale)
