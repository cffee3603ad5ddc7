"""Copies ``__dict__`` into its clones, where the attributes that TensorRT reads are not."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-005"
ALSO = {
    "ID-005": "no attribute is assigned on a clone",
    "FMT-002": "a clone has no number of outputs, so TensorRT shows it none",
}

PLUGIN_CASES = SCALE_CASES


class CloneCopiesTheDict(Scale):
    def clone(self):
        other = type(self).__new__(type(self))
        trt.IPluginV2DynamicExt.__init__(other)
        other.__dict__.update(self.__dict__)
        return other


publish(CloneCopiesTheDict)
