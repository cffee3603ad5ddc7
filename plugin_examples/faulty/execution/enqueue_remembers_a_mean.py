"""Changes its factor with each execution, as a running statistic would."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-011"
ALSO = {
    "FUZ-009": "a generated application runs a context twice",
    "FUZ-010": "contexts in threads run more than once, too",
}

PLUGIN_CASES = SCALE_CASES


class EnqueueRemembersAMean(Scale):
    seen = 0

    def configure_plugin(self, inputs, outputs):
        self.seen = 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x * x.dtype.type(self.factor + self.seen)
        self.seen += 1


publish(EnqueueRemembersAMean)
