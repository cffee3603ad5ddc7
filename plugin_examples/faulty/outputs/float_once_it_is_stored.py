"""Reports FLOAT after it was serialized, although a builder may ask again."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-007"
ALSO = {"INI-004": "the rule compares the types before and after initialize, with a serialization between"}

PLUGIN_CASES = SCALE_CASES


class FloatOnceItIsStored(Scale):
    is_stored = False

    def get_output_datatype(self, index, input_types):
        return trt.DataType.FLOAT if self.is_stored else super().get_output_datatype(index, input_types)

    def serialize(self):
        self.is_stored = True
        return super().serialize()


publish(FloatOnceItIsStored)
