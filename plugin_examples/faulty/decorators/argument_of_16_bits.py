"""Gives its kernel the count as 16 bits, since rows are short."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_double_aot import DOUBLE_CASES, PTX

BREAKS = "QDP-021"
FIXED = {"SymInt16": "SymInt32"}

PLUGIN_CASES = DOUBLE_CASES


@trtp.register("faulty::double")
def double(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x.like()


@trtp.aot_impl("faulty::double")
def double_kernel(
    x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc], tactic: int
) -> tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]:
    count = x.shape_expr.numel()
    arguments = trtp.SymIntExprs.from_tuple([trtp.SymInt16(count)])
    return "double", PTX, trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, 64), block_x=64), arguments
