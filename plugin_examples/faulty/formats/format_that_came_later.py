"""Supports CHW32 alone, which is not offered to plugins of its interface."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "FMT-017"

PLUGIN_CASES = BATCH_SCALE_CASES


class FormatThatCameLater(BatchScale):
    def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name
        return dtype in (trt.DataType.FLOAT, trt.DataType.HALF) and format == trt.TensorFormat.CHW32


publish(FormatThatCameLater)
