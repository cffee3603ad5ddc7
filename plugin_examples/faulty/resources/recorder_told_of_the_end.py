"""Reports to the recorders of its contexts when it is destroyed itself: they are gone by then."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_resource_v3 import LentScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-010"

PLUGIN_CASES = SCALE_CASES


class RecorderToldOfTheEnd(LentScale):
    def attach_to_context(self, context):
        self.recorders = [*getattr(self, "recorders", []), context.error_recorder]
        return super().attach_to_context(context)

    def destroy(self):
        for recorder in getattr(self, "recorders", []):
            if recorder is not None:
                recorder.report_error(trt.ErrorCodeTRT.SUCCESS, "the plugin is gone")
        super().destroy()


publish(RecorderToldOfTheEnd)
