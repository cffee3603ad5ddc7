"""Defines ``impl`` in the function that builds an engine; a process that loads an engine does not call it."""

import tensorrt.plugin as trtp

from plugin_examples.faulty.bases.sound_shift_qdp import SHIFT_CASES, run_shift

BREAKS = "QDP-024"
FIXED = {
    (
        "def build(network, x, addend):\n"
        '    @trtp.impl("faulty::shift")\n'
        "    def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):\n"
        "        run_shift(x, addend, outputs[0], stream)"
    ): (
        '@trtp.impl("faulty::shift")\n'
        "def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):\n"
        "    run_shift(x, addend, outputs[0], stream)\n"
        "\n"
        "\n"
        "def build(network, x, addend):"
    ),
}

PLUGIN_CASES = SHIFT_CASES


@trtp.register("faulty::shift")
def shift(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
    return x.like()


def build(network, x, addend):
    @trtp.impl("faulty::shift")
    def shift_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
        run_shift(x, addend, outputs[0], stream)

    return network.add_plugin(trtp.op.faulty.shift(x, addend=addend))
