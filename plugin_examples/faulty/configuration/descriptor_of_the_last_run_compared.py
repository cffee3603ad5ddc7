"""Keeps the descriptor of an execution, and compares the next shape with it: results stay right."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-015"
FIXED = {
    "tuple(self.last.dims)": "self.last",
    "self.last = input_desc[0]": "self.last = tuple(input_desc[0].dims)",
}

PLUGIN_CASES = SCALE_CASES


class ComparesWithTheLastRun(Scale):
    last = None

    def on_shape_change(self, inputs, outputs):
        if self.last is not None and tuple(self.last.dims) == tuple(inputs[0].dims):
            return
        if len(inputs[0].dims) == 0:
            raise ValueError("a scalar has no rows")

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        self.last = input_desc[0]


publish(ComparesWithTheLastRun)
