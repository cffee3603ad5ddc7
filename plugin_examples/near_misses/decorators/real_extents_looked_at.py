"""A decorated plugin that refuses rows which are too wide, if the dimensions are real numbers."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

LOOKS_LIKE = "QDP-014"

PLUGIN_CASES = SHIFT_CASES
WIDEST = 1024


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    width = x.shape_expr[1]
    if not width.is_fake and width.is_constant and width.constant_value() > WIDEST:
        raise ValueError(f"rows of more than {WIDEST} numbers are not supported")
    return trtp.from_shape_expr((x.shape_expr[0], width), x.dtype)


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, addend, outputs[0], stream)
