"""Stages the element of a partner thread in the next warp, and reads its own element without a wait."""

from plugin_examples.faulty.bases.sound_scale import publish
from plugin_examples.faulty.sanitizing.sound_kernel import KERNEL_CASES, KernelScale, compiled

BREAKS = "SAN-003"
FIXED = {
    "if (i < count) y[i] = factor * staged[t];": "__syncthreads();\nif (i < count) y[i] = factor * staged[t];",
}

PLUGIN_CASES = KERNEL_CASES


class PartnerNotWaitedFor(KernelScale):
    kernel = compiled(
        """
        __shared__ float staged[256];
        if ((i ^ 32) < count) staged[t ^ 32] = x[i ^ 32];
        if (i < count) y[i] = factor * staged[t];
        """
    )


publish(PartnerNotWaitedFor)
