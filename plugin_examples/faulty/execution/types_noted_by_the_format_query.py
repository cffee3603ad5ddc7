"""Keeps the accepted types in its class, and runs only those; an engine's process has had no format query."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-021"

PLUGIN_CASES = SCALE_CASES


class TypesNoted(Scale):
    accepted = frozenset()

    def supports_format_combination(self, pos, in_out, num_inputs):
        answer = super().supports_format_combination(pos, in_out, num_inputs)
        if answer and in_out[pos].type not in self.accepted:
            type(self).accepted |= {in_out[pos].type}
        return answer

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if input_desc[0].type not in self.accepted:
            raise RuntimeError(f"{input_desc[0].type} was never accepted")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(TypesNoted)
