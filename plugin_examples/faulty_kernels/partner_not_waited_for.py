"""Each thread puts its partner's element into shared memory, and none waits until its own is there."""

from plugin_examples.faulty.sound_scale import publish
from plugin_examples.faulty_kernels.sound_kernel import KERNEL_CASES, KernelScale, compiled

BREAKS = "SAN-003"

PLUGIN_CASES = KERNEL_CASES


class PartnerNotWaitedFor(KernelScale):
    kernel = compiled(
        """
        __shared__ float staged[256];
        if ((i ^ 1) < count) staged[t ^ 1] = x[i ^ 1];
        if (i < count) y[i] = factor * staged[t];
        """
    )


publish(PartnerNotWaitedFor)
