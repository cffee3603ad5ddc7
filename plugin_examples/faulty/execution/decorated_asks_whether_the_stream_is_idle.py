"""A decorated plugin that asks the stream whether it is idle, and takes another way where it is."""

import cupy as cp
import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, view

BREAKS = "ENQ-014"

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    with cp.cuda.ExternalStream(stream) as current:
        given, result = view(x), view(outputs[0])
        if current.done:
            cp.add(given, given.dtype.type(addend), out=result)
        else:
            result[...] = given
            result += given.dtype.type(addend)
