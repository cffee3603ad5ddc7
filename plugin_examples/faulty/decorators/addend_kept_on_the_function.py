"""Keeps the first addend on the function, for every plugin that comes later."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-025"
FIXED = {
    (
        'if not hasattr(shift_run, "addend"):\n'
        "    shift_run.addend = addend\n"
        "run_shift(x, shift_run.addend, outputs[0], stream)"
    ): "run_shift(x, addend, outputs[0], stream)",
}

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
    if not hasattr(shift_run, "addend"):
        shift_run.addend = addend
    run_shift(x, shift_run.addend, outputs[0], stream)
