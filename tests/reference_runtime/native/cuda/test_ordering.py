"""Streams, events and the end of all work on the host device."""

import pytest

from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from reference_runtime.native.cuda.ordering import FUNCTIONS
from reference_runtime.native.exchange.misuses import MisuseError, raise_noted


def test_a_reset_of_the_device_fails_the_call_that_goes_on_after_it():
    with use(HostDevice()):
        assert FUNCTIONS["cudaDeviceReset"][1]() is None
    with pytest.raises(MisuseError, match="cudaDeviceReset"):
        raise_noted()
