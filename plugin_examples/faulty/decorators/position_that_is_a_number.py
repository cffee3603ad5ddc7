"""Gives ``pos`` a number, as the example in its documentation does."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-013"
FIXED = {'combination.pos(1, "FP32|FP16")': 'combination.pos([1], "FP32|FP16")'}

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.autotune("faulty::shift")
def shift_ways(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]) -> list[trtp.AutoTuneCombination]:
    combination = trtp.AutoTuneCombination()
    combination.pos([0], "FP32|FP16")
    combination.pos(1, "FP32|FP16")
    return [combination]


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, addend, outputs[0], stream)
