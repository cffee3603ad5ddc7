"""Appends the input's type to its version when it is configured."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-006"
ALSO = {"CFG-011": "configuration must not change name, version and namespace"}
FIXED = {'self.plugin_version = f"1-{inputs[0].desc.type.name}"': "pass  # the version stays the creator's"}

PLUGIN_CASES = SCALE_CASES


class VersionGrowsWithTheType(Scale):
    def configure_plugin(self, inputs, outputs):
        self.plugin_version = f"1-{inputs[0].desc.type.name}"

    def copy_identity_to(self, other):
        other.plugin_version = self.plugin_version
        return super().copy_identity_to(other)


publish(VersionGrowsWithTheType)
