"""Takes only the type that it was configured for, once it is configured."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-011"
ALSO = {"FMT-002": "the same question gets another answer after configure_plugin"}

PLUGIN_CASES = SCALE_CASES


class FormatsNarrowedByConfiguration(Scale):
    chosen = None

    def configure_plugin(self, inputs, outputs):
        self.chosen = inputs[0].desc.type

    def supports_format_combination(self, pos, in_out, num_inputs):
        if self.chosen is not None and in_out[0].type != self.chosen:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(FormatsNarrowedByConfiguration)
