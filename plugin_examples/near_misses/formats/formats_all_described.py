"""Describes every tensor in its log before it answers, those behind ``pos`` too, and answers without them."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FMT-001"

PLUGIN_CASES = SCALE_CASES


class AllDescribed(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        self.last_question = f"{pos} of {len(in_out)}: {[(str(each.type), str(each.format)) for each in in_out]}"
        types = {each.type for each in in_out[: pos + 1]}
        linear = all(each.format == trt.TensorFormat.LINEAR for each in in_out[: pos + 1])
        return linear and types in ({trt.DataType.FLOAT}, {trt.DataType.HALF})


publish(AllDescribed)
