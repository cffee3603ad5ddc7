"""Calls ``__syncwarp`` in sixteen lanes with a mask of eight lanes."""

from plugin_examples.faulty.bases.sound_scale import publish
from plugin_examples.faulty.sanitizing.sound_kernel import KERNEL_CASES, KernelScale, compiled

BREAKS = "SAN-004"
FIXED = {"if (t % 32 < 16) __syncwarp(0xff);": "if (t % 32 < 16) __syncwarp(0xffff);"}

PLUGIN_CASES = KERNEL_CASES


class MaskOfHalfTheLanes(KernelScale):
    kernel = compiled(
        """
        if (i < count) y[i] = factor * x[i];
        if (t % 32 < 16) __syncwarp(0xff);
        """
    )


publish(MaskOfHalfTheLanes)
