"""A decorated plugin that takes its tensors by ``cp.asarray``, which waits for the stream that they name."""

import cupy as cp
import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES

BREAKS = "ENQ-013"

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    if x.numel() == 0:
        return
    with cp.cuda.ExternalStream(stream):
        given = cp.asarray(x)
        cp.add(given, given.dtype.type(addend), out=cp.asarray(outputs[0]))
