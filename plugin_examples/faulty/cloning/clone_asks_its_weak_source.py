"""Makes clones that have a weak reference to their source, and ask it for the factor in each execution."""

import weakref

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-008"
FIXED = {"weakref.ref(self)": "lambda: self"}

PLUGIN_CASES = SCALE_CASES


class ClonesAskTheirSource(Scale):
    ask = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.ask is not None:
            self.factor = self.ask().factor
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def clone(self):
        other = super().clone()
        other.ask = weakref.ref(self)
        return other


publish(ClonesAskTheirSource)
