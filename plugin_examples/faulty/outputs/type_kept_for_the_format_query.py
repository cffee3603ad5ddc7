"""Keeps the input type of the last query, and accepts no other type afterwards."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-007"

PLUGIN_CASES = SCALE_CASES


class TypeKept(Scale):
    asked_type = None

    def get_output_datatype(self, index, input_types):
        self.asked_type = input_types[0]
        return super().get_output_datatype(index, input_types)

    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 0 and self.asked_type is not None and in_out[0].type != self.asked_type:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)

    def clone(self):
        copy = super().clone()
        copy.asked_type = self.asked_type
        return copy


publish(TypeKept)
