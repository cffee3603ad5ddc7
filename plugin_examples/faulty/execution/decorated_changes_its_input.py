"""A decorated plugin that adds to its input, which no output aliases, before it copies it."""

import cupy as cp
import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, view

BREAKS = "ENQ-004"

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    with cp.cuda.ExternalStream(stream):
        given = view(x)
        given += given.dtype.type(addend)
        view(outputs[0])[...] = given
