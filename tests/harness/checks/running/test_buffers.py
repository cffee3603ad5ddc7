"""The device memory that one call is given."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.checks.running.buffers import MOST_WORKSPACE, address_of, allocated, contents, lent
from harness.contract.finding import NeedsDeviceError
from reference_runtime.devices.host import HostDevice
from reference_runtime.values.descriptions import Description

DESC = Description((2, 3), trt.DataType.FLOAT, trt.TensorFormat.LINEAR)
EMPTY = Description((0, 3), trt.DataType.FLOAT, trt.TensorFormat.LINEAR)


def lending(device, desc=DESC):
    return lent(allocated(device, [desc], [desc], [np.ones(desc.dims, np.float32)], 16, 0xCD))


@pytest.fixture(name="device")
def a_device():
    return HostDevice()


def test_inputs_hold_their_data_and_the_rest_is_poison(device):
    with lending(device) as buffers:
        assert contents(buffers.inputs[0]) == np.ones(6, np.float32).tobytes()
        assert contents(buffers.outputs[0]) == b"\xcd" * 24
        assert contents(buffers.workspace) == b"\xcd" * 16
        assert list(buffers.by_label) == ["inputs[0]", "outputs[0]", "workspace"]


def test_they_are_freed_afterwards_and_not_twice(device):
    with lending(device) as buffers:
        buffers.inputs[0].free()
    assert device.buffers == []
    assert device.faults == []


def test_what_moves_is_freed_and_what_was_freed_moves(device):
    with lending(device) as mine, lending(device) as others:
        mine.inputs[0].free()
        mixed = mine.moved(others, ("outputs",))
        assert (mixed.inputs, mixed.outputs) == (others.inputs, others.outputs)
        assert mixed.workspace is mine.workspace
        assert mine.outputs[0].freed


def test_only_an_empty_buffer_can_be_at_the_null_address(device):
    with lending(device) as full, lending(device, EMPTY) as empty:
        assert address_of(full.inputs[0], null=True) == full.inputs[0].address
        assert address_of(empty.inputs[0], null=True) == 0
        assert address_of(empty.inputs[0], null=False) == empty.inputs[0].address


def test_an_aliasing_output_lies_in_its_input_and_is_freed_once(device):
    arrays = [np.ones(DESC.dims, np.float32)] * 2
    with lent(allocated(device, [DESC, DESC], [DESC], arrays, 0, 0xCD, {0: 1})) as buffers:
        assert buffers.outputs[0] is buffers.inputs[1]
        assert contents(buffers.outputs[0]) == np.ones(6, np.float32).tobytes()
        assert buffers.aliased_inputs == [1]
    assert (device.buffers, device.faults) == ([], [])


def test_more_workspace_than_the_host_device_has_is_for_another_device(device):
    with pytest.raises(NeedsDeviceError, match="asks for 4,294,967,297 bytes of workspace"):
        allocated(device, [DESC], [DESC], [np.zeros(DESC.dims)], MOST_WORKSPACE + 1, 0)
