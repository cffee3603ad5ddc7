"""Memory that an object describes by the CUDA array interface."""

import numpy as np
import pytest

from reference_runtime.bridges.interfaces import memory_of
from reference_runtime.devices import host


@pytest.fixture
def device():
    with host.use(host.HostDevice()) as device:
        yield device


def test_strides_and_constancy_are_those_of_the_interface(device):
    buffer = device.allocate(24)
    buffer.write(np.arange(6, dtype=np.float32))
    described = {"shape": (2, 2), "typestr": "<f4", "data": (buffer.address, True), "strides": (12, 8)}
    found = memory_of(described)
    assert (found.elements.tolist(), found.nbytes) == ([[0, 2], [3, 5]], 24)
    assert not found.elements.flags.writeable
    assert memory_of({**described, "shape": (0, 2)}).elements.shape == (0, 2)
