"""Counts its outputs anew when it is configured: inputs and outputs together."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-008"
ALSO = {"CFG-011": "configuration must not change the number of outputs"}
FIXED = {"self.num_outputs = len(inputs) + len(outputs)": "pass  # num_outputs is assigned in __init__ only"}

PLUGIN_CASES = SCALE_CASES


class OutputsCountedWhenConfigured(Scale):
    def configure_plugin(self, inputs, outputs):
        self.num_outputs = len(inputs) + len(outputs)

    def copy_identity_to(self, other):
        other.num_outputs = self.num_outputs
        return super().copy_identity_to(other)


publish(OutputsCountedWhenConfigured)
