"""Keeps the descriptor of the first execution at a shape, and reads the type from it in later ones."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-015"
FIXED = {
    (
        "if self.described is None:\n"
        "    self.described = input_desc[0]\n"
        "super().enqueue([self.described], output_desc, inputs, outputs, workspace, stream)"
    ): "super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)",
}

PLUGIN_CASES = SCALE_CASES


class KeepsTheFirst(Scale):
    described = None

    def configure_plugin(self, inputs, outputs):
        self.described = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.described is None:
            self.described = input_desc[0]
        super().enqueue([self.described], output_desc, inputs, outputs, workspace, stream)


publish(KeepsTheFirst)
