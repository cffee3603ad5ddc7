"""Counts its calls in an attribute of the class."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "THR-009"

PLUGIN_CASES = SCALE_CASES


class CallsCountedInTheClass(Scale):
    calls = 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        type(self).calls += 1
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(CallsCountedInTheClass)
