"""Keeps the dimensions of an execution as a tuple, and compares the next shape with them."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-015"

PLUGIN_CASES = SCALE_CASES


class ComparesWithTheLastRun(Scale):
    last = None

    def on_shape_change(self, inputs, outputs):
        if self.last is not None and self.last == tuple(inputs[0].dims):
            return
        if len(inputs[0].dims) == 0:
            raise ValueError("a scalar has no rows")

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        self.last = tuple(input_desc[0].dims)


publish(ComparesWithTheLastRun)
