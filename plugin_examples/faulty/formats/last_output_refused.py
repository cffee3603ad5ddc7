"""Believes the documented bound of ``pos``, which leaves out the last output."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-004"

PLUGIN_CASES = SCALE_CASES


class LastOutputRefused(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if not 0 <= pos < num_inputs + self.num_outputs - 1:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(LastOutputRefused)
