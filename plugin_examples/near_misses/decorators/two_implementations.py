"""A decorated plugin with a kernel compiled ahead of time and an ``impl`` beside it: of both, one runs."""

import cupy as cp
import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_double_aot import DOUBLE_CASES, PTX
from plugin_examples.faulty.bases.sound_shift_qdp import view

LOOKS_LIKE = "QDP-020"

PLUGIN_CASES = DOUBLE_CASES


@trtp.register("faulty::double")
def double(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::double")
def double_run(x: trtp.Tensor, outputs: tuple[trtp.Tensor], stream: int):
    with cp.cuda.ExternalStream(stream):
        cp.add(view(x), view(x), out=view(outputs[0]))


@trtp.aot_impl("faulty::double")
def double_kernel(
    x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc], tactic: int
) -> tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]:
    count = x.shape_expr.numel()
    launch = trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, 64), block_x=64)
    return "double", PTX, launch, trtp.SymIntExprs.from_tuple([count])
