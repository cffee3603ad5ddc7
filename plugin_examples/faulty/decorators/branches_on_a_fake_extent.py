"""Refuses rows that are too wide by their constant width, without asking whether there is a dimension at all."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-014"
FIXED = {
    "if x.shape_expr[1].is_constant and x.shape_expr[1].constant_value() > WIDEST:": (
        "width = x.shape_expr[1]\nif not width.is_fake and width.is_constant and width.constant_value() > WIDEST:"
    ),
}

PLUGIN_CASES = SHIFT_CASES
WIDEST = 1024


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    if x.shape_expr[1].is_constant and x.shape_expr[1].constant_value() > WIDEST:
        raise ValueError(f"rows of more than {WIDEST} numbers are not supported")
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, addend, outputs[0], stream)
