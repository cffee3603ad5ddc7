"""A decorated plugin that keeps arrays of addends in a global, each under its own value and type."""

import cupy as cp
import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, view

LOOKS_LIKE = "QDP-025"

PLUGIN_CASES = SHIFT_CASES
KEPT = {}


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    with cp.cuda.ExternalStream(stream):
        given = view(x)
        key = (addend, given.dtype)
        if key not in KEPT:
            KEPT[key] = cp.full((1,), addend, given.dtype)
            cp.cuda.get_current_stream().synchronize()
        cp.add(given, KEPT[key], out=view(outputs[0]))
