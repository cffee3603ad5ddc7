"""Wants both tensors to have the same type already at pos 0, where the output's is undefined."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-001"

PLUGIN_CASES = SCALE_CASES


class PeeksAhead(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 0 and in_out[1].type == in_out[0].type:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(PeeksAhead)
