"""What contexts lend: pieces of one arena, each with its own bounds, poisoned, reused at once, and looked after."""

from __future__ import annotations

import ctypes
from typing import ClassVar

import numpy as np
import pytest

from reference_runtime.devices import host
from reference_runtime.devices.records import FaultKind
from reference_runtime.values.dims import values
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ElementWiseOperation, UnaryOperation
from tests.support.runtime.recording import Recorder, bind, result, shop

SHAPE = {"x0": (2, 3, 4)}


@pytest.fixture
def device():
    device = host.HostDevice()
    with host.use(device):
        yield device


def test_a_dead_tensor_gives_its_memory_to_the_next(device):
    with shop() as made:
        made.profile()
        context = made.engine(made.network(chain=5)).create_execution_context()
        bind(context, SHAPE)
        assert context.execute_async_v3(0)
        written = [call[2][3][0] for call in made.tape.of("enqueue")[-5:-1]]
        assert written[0] != written[1]
        assert len(set(written)) < 4, "an earlier tensor's address comes again"
        assert device.faults == []


@pytest.mark.usefixtures("device")
def test_what_relies_on_a_buffers_afterlife_finds_something_else():
    class Nostalgic(Recorder):
        """Remembers what its first call was given and looks there in later ones."""

        seen: ClassVar[list] = []

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
            self.seen.append((outputs[0], bytes(host.view(outputs[0], 96))))

    with shop(kind=Nostalgic) as made:
        made.profile()
        context = made.engine(made.network(chain=4)).create_execution_context()
        bind(context, SHAPE)
        Nostalgic.seen.clear()
        assert context.execute_async_v3(0)
        address, was = Nostalgic.seen[0]
        assert bytes(host.view(address, 96)) != was
        assert bytes(host.view(address, 96)) == bytes([host.poison_byte(0)]) * 96


def test_exact_bounds_hold_inside_the_arena(device):
    class Greedy(Recorder):
        def enqueue(self, _input_desc, output_desc, _inputs, outputs, *_):
            host.view(outputs[0], 4 * int(np.prod(values(output_desc[0].dims))) + 4)

    with shop(kind=Greedy) as made:
        made.gate.quiet = True
        made.profile()
        made.kind = Recorder
        network = made.network(chain=2)
        creator = made.runtime.get_plugin_registry().get_creator("Recorder", "1", "")
        data = made.build(network)
        creator.kind = Greedy
        context = made.runtime.deserialize_cuda_engine(data).create_execution_context()
        bind(context, SHAPE)
        assert not context.execute_async_v3(0)
        assert device.faults[0].kind is FaultKind.OUT_OF_BOUNDS
        assert "4 bytes past its end" in device.faults[0].sentence
        assert device.faults[0].label.startswith("tensor ")


def test_writing_beyond_a_buffer_is_found(device):
    class Trespasser(Recorder):
        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
            ctypes.memset(workspace + 64, 0, 8)

    device.addresses = "host"
    with shop(kind=Trespasser) as made:
        context = made.engine().create_execution_context()
        bind(context, SHAPE)
        device.faults.clear()
        assert context.execute_async_v3(0), made.log.errors
        (fault,) = device.faults
        assert (fault.kind, fault.label, fault.nbytes) == (FaultKind.OVERWRITTEN, "workspace", 8)


def test_memory_is_taken_back_where_an_execution_fails(device):
    with shop() as made:
        context = made.engine(chain=3).create_execution_context()
        buffers = bind(context, SHAPE)
        plugin = made.gate.owned[-1].target
        plugin.enqueue = lambda *_: 1 / 0
        assert not context.execute_async_v3(0)
        del plugin.enqueue
        assert context.execute_async_v3(0)
        np.testing.assert_array_equal(result(context, buffers).ravel(), 8.0 * np.arange(24))
        assert device.faults == []


def test_operations_run_between_plugins_on_the_device(device):
    with shop() as made:
        made.profile()
        network = made.builder.create_network()
        x = network.add_input("x0", DataType.FLOAT, (-1, 3, -1))
        twice = network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)
        total = network.add_elementwise(twice, x, ElementWiseOperation.SUM).get_output(0)
        last = network.add_plugin_v2([network.add_unary(total, UnaryOperation.NEG).get_output(0)], Recorder(made.tape))
        last.get_output(0).name = "y0"
        network.mark_output(last.get_output(0))
        context = made.engine(network).create_execution_context()
        for shape in [(2, 3, 4), (4, 3, 8)]:
            buffers = bind(context, {"x0": shape})
            assert context.execute_async_v3(0), made.log.errors
            np.testing.assert_array_equal(result(context, buffers).ravel(), -6.0 * np.arange(np.prod(shape)))
        assert device.faults == []


def test_a_shape_output_lies_on_the_host(device):
    with shop() as made:
        made.profile()
        network = made.builder.create_network()
        x = network.add_input("x0", DataType.FLOAT, (-1, 3, -1))
        y = network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)
        y.name = "y0"
        network.mark_output(y)
        shape = network.add_shape(y).get_output(0)
        shape.name = "s"
        network.mark_output_for_shapes(shape)
        engine = made.engine(network)
        context = engine.create_execution_context()
        told = np.zeros(3, np.int64)
        context.set_input_shape("x0", (2, 3, 4))
        for name in ("x0", "y0"):
            context.set_tensor_address(name, device.allocate(96).address)
        context.set_tensor_address("s", told.ctypes.data)
        assert engine.is_shape_inference_io("s")
        assert context.execute_async_v3(0), made.log.errors
        assert told.tolist() == [2, 3, 4]
