"""Keeps the name of its layer, and says it in what it raises; clones and engines do without."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CRE-010"

PLUGIN_CASES = SCALE_CASES


class Named(Scale):
    layer = ""

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"{self.layer}: there is no tactic {tactic}")

    def copy_identity_to(self, other):
        other.layer = self.layer
        return super().copy_identity_to(other)


class Naming(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        plugin = super().create_plugin(name, field_collection, phase)
        if plugin is not None:
            plugin.layer = name[:64]
        return plugin


publish(Named, Naming)
