from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.calling.adapters.version_2 import execution_bounds
from reference_runtime.calling.gate.scheduler import Scheduler
from reference_runtime.devices import host
from reference_runtime.engine.context.layer_runs import reformat
from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.enums_building import BuilderFlag
from tests.support.runtime.recording import Recorder, bind, load, result, shop, store


class Choosy(Recorder):
    """Takes FP16 in HWC8 for its input and gives FP16 in CHW2."""

    def supports_format_combination(self, pos, in_out, num_inputs):
        wanted = TensorFormat.HWC8 if pos < num_inputs else TensorFormat.CHW2
        return in_out[pos].type == DataType.HALF and in_out[pos].format == wanted

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)
        n, c, h, w = input_desc[0].dims
        padded = (n, h, w, 8 * -(-c // 8))
        size = 2 * int(np.prod(padded))
        stored = np.frombuffer(host.view(inputs[0], size), np.float16).reshape(padded)
        data = np.moveaxis(stored[..., :c], -1, 1) * 2
        vectors = np.pad(data, [(0, 0), (0, c % 2), (0, 0), (0, 0)]).reshape(n, -1, 2, h, w)
        raw = np.ascontiguousarray(np.moveaxis(vectors, 2, -1)).astype(np.float16).tobytes()
        host.view(outputs[0], len(raw))[:] = raw


@pytest.mark.parametrize("chain", [1, 2])
def test_tensors_are_reformatted_for_the_plugin_and_back(chain):
    with shop(kind=Choosy) as made:
        made.config.set_flag(BuilderFlag.FP16)
        engine = made.engine(made.network(dims=(2, 3, 2, 4), chain=chain))
        context = engine.create_execution_context()
        buffers = bind(context, {"x0": (2, 3, 2, 4)})
        assert context.execute_async_v3(0), made.log.errors
        np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0**chain * np.arange(48))
        assert engine.device_memory_size_v2 > 64


class Quantized(Recorder):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.types = [DataType.INT8]

    def enqueue(self, input_desc, output_desc, inputs, outputs, *_):
        real = load(input_desc[0], inputs[0]) * input_desc[0].scale
        store(output_desc[0], outputs[0], np.rint(2 * real / output_desc[0].scale))


def test_int8_tensors_are_quantized_by_their_ranges():
    with shop(kind=Quantized) as made:
        made.config.set_flag(BuilderFlag.INT8)
        network = made.network(dims=(4,))
        network.get_input(0).set_dynamic_range(-12.7, 12.7)
        network.get_output(0).set_dynamic_range(-25.4, 25.4)
        context = made.engine(network).create_execution_context()
        buffers = bind(context, {"x0": (4,)})
        assert context.execute_async_v3(0)
        np.testing.assert_allclose(result(context, buffers), 2.0 * np.arange(4), atol=0.1)


def test_memory_that_is_not_there_fails_the_execution():
    class HalfOnly(Recorder):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.types = [DataType.HALF]

    with shop(kind=HalfOnly) as made:
        made.config.set_flag(BuilderFlag.FP16)
        context = made.engine().create_execution_context()
        bind(context, {"x0": (2, 3, 4)})
        context.set_tensor_address("x0", 0x7EEE_0000_0000_0000)
        assert not context.execute_async_v3(0)
        assert "where no device memory is" in made.log.errors[0]


def test_reformatting_is_work_on_the_stream():
    device = host.HostDevice()
    linear = Description((1, 2, 3, 4), DataType.FLOAT, TensorFormat.LINEAR)
    vectors = Description((1, 2, 3, 4), DataType.HALF, TensorFormat.CHW2)
    source, target, stream = device.allocate(96), device.allocate(48), device.new_stream()
    source.write(np.arange(24, dtype=np.float32))
    with device.recording() as log:
        reformat(device, (linear, source.address), (vectors, target.address), stream=stream.handle)
    assert [(access.kind, access.nbytes) for access in log] == [("read", 96), ("write", 48)]
    assert {access.stream for access in log} == {stream.handle}
    np.testing.assert_array_equal(target.read(np.float16, (3, 4, 2)), np.arange(24).reshape(2, 3, 4).transpose(1, 2, 0))


def test_the_bounds_of_an_execution_are_the_profiles_or_its_own_extents():
    desc = Description((2, 3), DataType.FLOAT, TensorFormat.LINEAR)
    ranges = ((1, 3), (1, 3), (9, 3))
    seen = {execution_bounds(Scheduler(seed), [desc], [ranges])[0] for seed in range(20)}
    assert {(bounds.min, bounds.opt, bounds.max) for bounds in seen} == {ranges, ((2, 3),) * 3}
