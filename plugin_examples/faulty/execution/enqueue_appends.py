"""Keeps a list of the addresses that it has seen."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-017"

PLUGIN_CASES = SCALE_CASES


class EnqueueAppends(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.history = []

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.history.append((inputs[0], outputs[0]))
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(EnqueueAppends)
