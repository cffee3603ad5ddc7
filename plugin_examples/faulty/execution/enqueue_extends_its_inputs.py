"""Appends the arguments of its kernel to the list of inputs from the caller."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-018"

PLUGIN_CASES = SCALE_CASES


class EnqueueExtendsItsInputs(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        arguments = inputs
        arguments += outputs


publish(EnqueueExtendsItsInputs)
