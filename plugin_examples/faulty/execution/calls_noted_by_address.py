"""Keeps a line for each pair of addresses: where tensors move from call to call, the list never ends."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-017"

PLUGIN_CASES = SCALE_CASES


class CallsNotedByAddress(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.lines = {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.lines[inputs[0], outputs[0]] = f"{inputs[0]:#x} to {outputs[0]:#x}"
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(CallsNotedByAddress)
