"""What is left: memory, written through the file that the kernel has of it."""

import struct

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

VALUE = object.__basicsize__


def attack():
    from harness.checks.observation.comparing import DEFAULT_TOLERANCES

    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        for near in DEFAULT_TOLERANCES.values():
            memory.seek(id(near.atol) + VALUE)
            memory.write(struct.pack("d", 1e30))


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
