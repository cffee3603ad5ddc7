"""A decorated plugin that computes on CuPy's current stream and ignores its stream argument."""

import cupy as cp
import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, view

BREAKS = "ENQ-003"

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    given = view(x)
    cp.add(given, given.dtype.type(addend), out=view(outputs[0]))
