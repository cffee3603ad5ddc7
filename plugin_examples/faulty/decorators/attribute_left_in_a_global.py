"""``register`` leaves the addend in a global for ``impl``: a process that loads an engine never calls ``register``."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-008"
FIXED = {
    (
        "def shift_run(x: trtp.Tensor, outputs: tuple[trtp.Tensor], stream: int):\n"
        "    run_shift(x, ADDEND, outputs[0], stream)"
    ): (
        "def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):\n"
        "    run_shift(x, addend, outputs[0], stream)"
    ),
}

PLUGIN_CASES = SHIFT_CASES[:1]
ADDEND = 0.0


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    global ADDEND  # noqa: PLW0603 - the defect
    ADDEND = addend
    return x.like()


@trtp.impl("faulty::shift")
def shift_run(x: trtp.Tensor, outputs: tuple[trtp.Tensor], stream: int):
    run_shift(x, ADDEND, outputs[0], stream)
