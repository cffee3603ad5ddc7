"""Reports the input's type for every index, also for outputs that do not exist."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-003"

PLUGIN_CASES = SCALE_CASES


class TypeForAnyIndex(Scale):
    def get_output_datatype(self, index, input_types):
        return input_types[0]


publish(TypeForAnyIndex)
