"""Keeps the lists of addresses of its first call for all later ones; clones take the lists over."""

from plugin_examples.faulty.bases.sound_scale import NON_EMPTY_CASES, Scale, publish

BREAKS = "ENQ-007"

PLUGIN_CASES = NON_EMPTY_CASES


class AddressesOfTheFirstCall(Scale):
    kept = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.kept = self.kept or (list(inputs), list(outputs))
        super().enqueue(input_desc, output_desc, *self.kept, workspace, stream)

    def clone(self):
        other = super().clone()
        other.kept = self.kept
        return other


publish(AddressesOfTheFirstCall)
