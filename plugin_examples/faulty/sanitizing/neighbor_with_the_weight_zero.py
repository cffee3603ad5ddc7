"""Interpolates between an element and its neighbour, and reads behind the last element, with the weight 0."""

from plugin_examples.faulty.bases.sound_scale import publish
from plugin_examples.faulty.sanitizing.sound_kernel import KERNEL_CASES, KernelScale, compiled

BREAKS = "SAN-001"
FIXED = {"int next = i + 1;": "int next = min(i + 1, count - 1);"}

PLUGIN_CASES = KERNEL_CASES


class NeighborWithTheWeightZero(KernelScale):
    kernel = compiled(
        """
        if (i < count) {
            float part = zero;  // between two elements: nothing is resized
            int next = i + 1;
            y[i] = factor * ((1 - part) * x[i] + part * x[next]);
        }
        """
    )


publish(NeighborWithTheWeightZero)
