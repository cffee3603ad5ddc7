"""Names another version of itself once it is configured for FP16, since that has a separate kernel."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-011"

PLUGIN_CASES = SCALE_CASES


class VersionOfTheHalfKernel(Scale):
    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.type == trt.DataType.HALF:
            self.plugin_version = "1h"


publish(VersionOfTheHalfKernel)
