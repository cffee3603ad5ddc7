"""Wraps the output once and keeps the wrapper, though TensorRT may pass another address."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-007"

PLUGIN_CASES = SCALE_CASES


class OutputAddressCached(Scale):
    output = None

    def configure_plugin(self, inputs, outputs):
        self.output = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.output is None:
            self.output = outputs[0]
        super().enqueue(input_desc, output_desc, inputs, [self.output], workspace, stream)


publish(OutputAddressCached)
