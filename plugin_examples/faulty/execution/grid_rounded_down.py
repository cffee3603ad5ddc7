"""Compiled ahead of time, with full blocks only: the elements after the last full block are not computed."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_double_aot import DOUBLE_CASES, PTX

BREAKS = "ENQ-005"
ALSO = {"ENQ-010": "elements that are not written are wrong, too"}

PLUGIN_CASES = DOUBLE_CASES


@trtp.register("faulty::double")
def double(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x.like()


@trtp.aot_impl("faulty::double")
def double_kernel(
    x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc], tactic: int
) -> tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]:
    count = x.shape_expr.numel()
    arguments = trtp.SymIntExprs.from_tuple([count])
    return "double", PTX, trtp.KernelLaunchParams(grid_x=count // 2, block_x=2), arguments
