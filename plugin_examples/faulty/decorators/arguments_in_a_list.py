"""Returns its kernel's extra arguments in a list, though it is annotated to return ``SymIntExprs``."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_double_aot import DOUBLE_CASES, PTX

BREAKS = "QDP-020"
FIXED = {
    'return "double", PTX, trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, 64), block_x=64), [count]': (
        "arguments = trtp.SymIntExprs.from_tuple([trtp.SymInt32(count)])\n"
        'return "double", PTX, trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, 64), block_x=64), arguments'
    ),
}

PLUGIN_CASES = DOUBLE_CASES


@trtp.register("faulty::double")
def double(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x.like()


@trtp.aot_impl("faulty::double")
def double_kernel(
    x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc], tactic: int
) -> tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]:
    count = x.shape_expr.numel()
    return "double", PTX, trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, 64), block_x=64), [count]
