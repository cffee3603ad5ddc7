"""Reports to the context's recorder that memory is short, without a check for None."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_resource_v3 import LentScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-011"

PLUGIN_CASES = SCALE_CASES


class RecorderTakenForGranted(LentScale):
    def complain(self, text):
        self.recorder.report_error(trt.ErrorCodeTRT.FAILED_ALLOCATION, text)


publish(RecorderTakenForGranted)
