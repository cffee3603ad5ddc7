"""Memory that a context is lent, and what it holds."""

import numpy as np

from harness.checks.engines.bindings import Bindings
from reference_runtime import DataType, TensorFormat
from reference_runtime.devices.host import HostDevice
from reference_runtime.values.descriptions import NO_SCALE, Description

ROW = Description((3,), DataType.FLOAT, TensorFormat.LINEAR, NO_SCALE)


def bindings(device, *, aliased=False):
    source = device.allocate(12, label="input_0")
    output = source if aliased else device.allocate(12, label="y")
    return Bindings({"input_0": ROW, "y": ROW}, {"input_0": source, "y": output}, [])


def test_what_is_written_is_in_the_inputs_and_what_is_read_in_the_outputs():
    lent = bindings(HostDevice())
    lent.write([np.array([1, 2, 3], np.float32)])
    assert lent.buffers["input_0"].read(np.float32, 3).tolist() == [1, 2, 3]
    lent.buffers["y"].write(np.array([4, 5, 6], np.float32))
    assert [each.tolist() for each in lent.read(lent.tensors)] == [[4, 5, 6]]


def test_an_output_whose_size_was_never_told_holds_nothing():
    lent = bindings(HostDevice())
    assert lent.read({"y": Description((-1,), *(ROW.type, ROW.format, ROW.scale))})[0].shape == (0,)


def test_an_input_with_an_output_in_it_is_not_apart():
    assert set(bindings(HostDevice()).apart) == {"input_0"}
    assert bindings(HostDevice(), aliased=True).apart == {}


def test_memory_is_given_back_once():
    device = HostDevice()
    lent = bindings(device, aliased=True)
    lent.free()
    lent.free()
    assert (device.buffers, device.faults) == ([], [])
