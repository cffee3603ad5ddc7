"""Computes ``alpha * x + beta * y`` with beta 0, and so reads an output before it is written: NaN stays NaN."""

from plugin_examples.faulty.bases.sound_scale import publish
from plugin_examples.faulty.sanitizing.sound_kernel import KERNEL_CASES, KernelScale, compiled

BREAKS = "SAN-002"

PLUGIN_CASES = KERNEL_CASES


class OutputAddedWithTheWeightZero(KernelScale):
    kernel = compiled("if (i < count) y[i] = factor * x[i] + zero * y[i];")


publish(OutputAddedWithTheWeightZero)
