"""Knows its scale and its mode by name, and takes any other number for the shift."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "FUZ-012"

PLUGIN_CASES = AFFINE_CASES


class GuessingCreator(AffineCreator):
    def create_plugin(self, name, field_collection):
        values = {}
        for field in field_collection:
            is_known = field.name in {"scale", "mode"} or field.type != trt.PluginFieldType.INT32 or not field.size
            values[field.name if is_known else "shift"] = self.read(field) if is_known else int(field.data[0])
        return self.from_values(values)


publish(creator_class=GuessingCreator)
