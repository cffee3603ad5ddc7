"""What the host device says of itself to C++."""

import ctypes

from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from reference_runtime.native.cuda.queries import FUNCTIONS


def test_properties_have_a_block_size_that_is_not_zero():
    properties = ctypes.create_string_buffer(1024)
    with use(HostDevice()):
        FUNCTIONS["cudaGetDeviceProperties"][1](ctypes.addressof(properties), 0)
    assert properties.value == b"host device"
    assert ctypes.c_int.from_buffer(properties, 320).value == 1024
    assert ctypes.c_int.from_buffer(properties, 308).value == 32
