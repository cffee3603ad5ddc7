"""Aliases its input unless it is configured for FP16; TensorRT asks for aliases before it configures."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-003"

PLUGIN_CASES = IN_PLACE_CASES


class AliasesUnlessHalf(InPlace):
    half = False

    def configure_plugin(self, inputs, outputs):
        self.half = inputs[0].desc.type == trt.DataType.HALF

    def get_aliased_input(self, output_index):
        return 0 if output_index == 0 and not self.half else -1

    def copy_identity_to(self, other):
        other.half = self.half
        return super().copy_identity_to(other)


publish(AliasesUnlessHalf)
