"""Keeps the batch's expression, to see in ``configure_plugin`` whether it is a constant."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SHP-004"

PLUGIN_CASES = SCALE_CASES


class BatchKept(Scale):
    batch = None
    batch_is_fixed = False

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        self.batch = inputs[0][0]
        return super().get_output_dimensions(output_index, inputs, expr_builder)

    def configure_plugin(self, inputs, outputs):
        if self.batch is not None:
            self.batch_is_fixed = self.batch.is_constant()


publish(BatchKept)
