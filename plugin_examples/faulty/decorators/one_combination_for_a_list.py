"""Returns its one combination as it is, which the annotation may say and TensorRT cannot count."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-011"
FIXED = {
    'trtp.AutoTuneCombination("FP32|FP16, FP32|FP16", "LINEAR")': (
        '[trtp.AutoTuneCombination("FP32|FP16, FP32|FP16", "LINEAR")]'
    ),
    "trtp.AutoTuneCombination:": "list[trtp.AutoTuneCombination]:",
}

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.autotune("faulty::shift")
def shift_ways(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]) -> trtp.AutoTuneCombination:
    return trtp.AutoTuneCombination("FP32|FP16, FP32|FP16", "LINEAR")


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, addend, outputs[0], stream)
