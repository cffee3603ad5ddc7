"""Computes ``alpha * x + beta * y`` with beta 0. It reads the output before it writes it: NaN stays NaN."""

from plugin_examples.faulty.bases.sound_scale import publish
from plugin_examples.faulty.sanitizing.sound_kernel import KERNEL_CASES, KernelScale, compiled

BREAKS = "SAN-002"
FIXED = {'update = "y[i] = factor * x[i] + zero * y[i];"': 'update = "y[i] = factor * x[i];"'}

PLUGIN_CASES = KERNEL_CASES


class OutputAddedWithTheWeightZero(KernelScale):
    update = "y[i] = factor * x[i] + zero * y[i];"
    kernel = compiled(f"if (i < count) {update}")


publish(OutputAddedWithTheWeightZero)
