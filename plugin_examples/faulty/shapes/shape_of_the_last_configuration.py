"""Reports the batch that it was configured for last, once there is one."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SHP-006"
ALSO = {"CFG-011": "the configuration changes the answer"}
FIXED = {
    "if self.batch is not None:\n    output[0] = expr_builder.constant(self.batch)\nreturn output": "return output",
}

PLUGIN_CASES = SCALE_CASES


class LastConfiguration(Scale):
    batch = None

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = super().get_output_dimensions(output_index, inputs, expr_builder)
        if self.batch is not None:
            output[0] = expr_builder.constant(self.batch)
        return output

    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.dims[0] >= 0:
            self.batch = inputs[0].desc.dims[0]

    def clone(self):
        copy = super().clone()
        copy.batch = self.batch
        return copy


publish(LastConfiguration)
