"""Keeps the first addend of each type in a global, for every later plugin. No second case has another addend."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-025"

PLUGIN_CASES = SHIFT_CASES[:1]
ADDENDS = {}


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, ADDENDS.setdefault(x.dtype, addend), outputs[0], stream)
