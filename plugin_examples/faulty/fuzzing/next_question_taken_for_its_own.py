"""Keeps the type of the query at pos 0 for the next query, which may be about another combination."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FUZ-005"

PLUGIN_CASES = SCALE_CASES


class TypeForTheNext(Scale):
    waiting = None

    def supports_format_combination(self, pos, in_out, num_inputs):
        wanted, self.waiting = self.waiting or in_out[0].type, None
        if pos == 0:
            self.waiting = in_out[0].type
            return super().supports_format_combination(pos, in_out, num_inputs)
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == wanted


publish(TypeForTheNext)
