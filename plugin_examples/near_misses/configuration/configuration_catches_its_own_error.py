"""Raises in ``configure_plugin`` where it has no special kernel, catches it there, and takes the usual kernel."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-005"

PLUGIN_CASES = SCALE_CASES
KERNELS = {trt.DataType.FLOAT: "scale_float"}


def kernel_for(dtype):
    if dtype not in KERNELS:
        raise LookupError(f"no kernel for {dtype}")
    return KERNELS[dtype]


class CatchesItsOwnError(Scale):
    def configure_plugin(self, inputs, outputs):
        try:
            self.kernel = kernel_for(inputs[0].desc.type)
        except LookupError:
            self.kernel = "scale_any"


publish(CatchesItsOwnError)
