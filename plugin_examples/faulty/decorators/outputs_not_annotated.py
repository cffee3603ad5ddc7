"""Gained a second output, and its return annotation still names one."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-005"
FIXED = {"return x.like(), x.like()": "return x.like()"}

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like(), x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    for output in outputs:
        run_shift(x, addend, output, stream)
