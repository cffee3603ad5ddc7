"""Refuses odd widths by their constant value, without asking whether there is one."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-014"

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    if x.shape_expr[1].is_constant and x.shape_expr[1].constant_value() > 1024:
        raise ValueError("rows of more than 1024 numbers are not supported")
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, addend, outputs[0], stream)
