"""Counts its calls in an object that the module holds."""

import types

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "THR-009"

PLUGIN_CASES = SCALE_CASES

STATISTICS = types.SimpleNamespace(calls=0)


class CallsCountedInAnObject(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        STATISTICS.calls += 1
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(CallsCountedInAnObject)
