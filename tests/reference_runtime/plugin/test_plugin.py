"""Decorated plugins in engines: built, serialized, loaded and run, in Python or by a kernel."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime import plan
from reference_runtime import plugin as trtp
from reference_runtime.bridges import cupy as cp
from reference_runtime.bridges.stand_ins import StandInError, standing_in
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from reference_runtime.registry.registry import get_plugin_registry

LOGGER = trt.Logger(trt.Logger.ERROR)
KERNEL = tuple[str, str, trtp.KernelLaunchParams, trtp.SymIntExprs]


@pytest.fixture(autouse=True)
def gate():
    with use(HostDevice()), watching(Gate(quiet=True)) as watched:
        yield watched


def built(plugin, *, aliasing=False, aot=None, **attributes):
    """Return the plan of an engine with one decorated plugin, for 1 to 4 rows of 3 numbers."""
    builder = trt.Builder(LOGGER)
    network = builder.create_network()
    function = plugin(network.add_input("x", trt.float32, (-1, 3)), **attributes)
    layer = network.add_plugin(function) if aot is None else network.add_plugin(function, aot)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    config, profile = builder.create_builder_config(), builder.create_optimization_profile()
    profile.set_shape("x", (1, 3), (2, 3), (4, 3))
    config.add_optimization_profile(profile)
    if aliasing:
        config.set_preview_feature(trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03, True)  # noqa: FBT003 - TensorRT's signature
    made = builder.build_serialized_network(network, config)
    return None if made is None else bytes(made)


def computed(data, rows=2):
    """Load an engine and return what it makes of 0, 1, 2, ..., and what its input holds then."""
    engine = trt.Runtime(LOGGER).deserialize_cuda_engine(data)
    context = engine.create_execution_context()
    context.set_input_shape("x", (rows, 3))
    x = cp.asarray(np.arange(3 * rows, dtype=np.float32).reshape(rows, 3))
    y = cp.zeros((rows, 3), np.float32)
    context.set_tensor_address("x", x.data.ptr)
    context.set_tensor_address("y", y.data.ptr)
    stream = cp.cuda.Stream()
    for _ in range(3):
        assert context.execute_async_v3(stream.ptr)
    stream.synchronize()
    return cp.asnumpy(y).ravel().tolist(), cp.asnumpy(x).ravel().tolist()


@pytest.fixture
def add():
    tactics = []

    @trtp.register("m::add")
    def describe(x: trtp.TensorDesc, addend: float) -> trtp.TensorDesc:
        return x.like()

    @trtp.autotune("m::add")
    def ways(x, outputs):
        return [trtp.AutoTuneCombination("FP32|FP16, FP32|FP16", "LINEAR", [7, 9])]

    @trtp.impl("m::add")
    def run(x, addend, outputs, stream, tactic):
        tactics.append(tactic)
        with cp.cuda.ExternalStream(stream):
            cp.add(cp.asarray(x), addend, out=cp.asarray(outputs[0]))

    return trtp.op.m.add, tactics


def test_an_engine_runs_impl_with_its_attribute_and_the_tactic_that_was_chosen(add):
    plugin, tactics = add
    data = built(plugin, addend=1.5)
    assert set(tactics) == {7, 9}
    tactics.clear()
    assert computed(data)[0] == [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]
    assert len(set(tactics)) == 1


def test_an_engine_is_loaded_without_autotune(add):
    plugin, _ = add
    data = built(plugin, addend=2.0)
    plugin.autotune_func = None
    assert computed(data, rows=1)[0] == [2, 3, 4]


def test_an_engine_is_not_loaded_without_the_creator(add):
    data = built(add[0], addend=2.0)
    get_plugin_registry().restore({})
    assert trt.Runtime(LOGGER).deserialize_cuda_engine(data) is None


def test_an_alias_shares_memory_with_the_preview_feature_and_is_refused_without_it(capfd):
    shared = []

    @trtp.register("m::inside")
    def describe(x: trtp.TensorDesc) -> trtp.TensorDesc:
        return x.aliased()

    @trtp.impl("m::inside")
    def run(x, outputs, stream):
        shared.append(outputs[0].data_ptr == x.data_ptr)
        with cp.cuda.ExternalStream(stream):
            cp.copyto(cp.asarray(outputs[0]), cp.asarray(x))

    assert computed(built(trtp.op.m.inside, aliasing=True))[0] == [0, 1, 2, 3, 4, 5]
    assert set(shared) == {True}
    with pytest.raises(TypeError, match="None"):
        computed(built(trtp.op.m.inside, aliasing=False))
    assert "ALIASED_PLUGIN_IO_10_03 is not set" in "".join(capfd.readouterr())


def test_a_failing_register_is_refused_by_the_network(gate):
    @trtp.register("m::odd")
    def describe(x: trtp.TensorDesc) -> trtp.TensorDesc:
        if x.shape_expr[0] == 2:
            raise ValueError
        return x.like()

    trtp.impl("m::odd")(lambda x, outputs, stream: None)
    builder = trt.Builder(LOGGER)
    network = builder.create_network()
    assert network.add_plugin(trtp.op.m.odd(network.add_input("x", trt.float32, (-1, 3)))) is None
    assert "Cannot evaluate fake ShapeExpr" in gate.failures[0].what


def test_a_failing_autotune_ends_the_build(gate):
    @trtp.register("m::bare")
    def describe(x: trtp.TensorDesc) -> trtp.TensorDesc:
        return x.like()

    trtp.impl("m::bare")(lambda x, outputs, stream: None)
    trtp.autotune("m::bare")(lambda x, outputs: trtp.AutoTuneCombination("FP32, FP32"))
    assert built(trtp.op.m.bare) is None
    assert "get_supported_format_combinations" in {failure.method for failure in gate.failures}


@pytest.fixture
def double():
    @trtp.register("m::double")
    def describe(x: trtp.TensorDesc) -> trtp.TensorDesc:
        return x.like()

    @trtp.autotune("m::double")
    def ways(x, outputs):
        return [trtp.AutoTuneCombination("FP32, FP32", "LINEAR", [2, 4])]

    @trtp.aot_impl("m::double")
    def kernel(x, outputs, tactic) -> KERNEL:
        count = x.shape_expr.numel()
        launch = trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, tactic), block_x=tactic, shared_mem=16)
        return "double", "the image", launch, trtp.SymIntExprs.from_tuple([trtp.SymInt32(count)])

    return trtp.op.m.double


@pytest.fixture
def launches():
    seen = []

    def double(launch, x, count, y):
        seen.append((launch.grid, launch.block, launch.shared_mem, int(count)))
        y[:count] = x[:count] + x[:count]

    with standing_in({"double": double}):
        yield seen


def test_an_engine_has_the_kernel_and_needs_nobody_to_run_it(double, launches):
    data = built(double)
    assert {block[0] for _, block, _, _ in launches} == {2, 4}
    get_plugin_registry().restore({})
    double.aot_impl_func = double.register_func = None
    launches.clear()
    assert computed(data)[0] == [0, 2, 4, 6, 8, 10]
    (threads,) = {block[0] for _, block, _, _ in launches}
    assert set(launches) == {((-(-6 // threads), 1, 1), (threads, 1, 1), 16, 6)}


def test_a_kernel_cannot_write_to_an_input(double):
    def double_(launch, x, count, y):
        x[0] = 1

    with standing_in({"double": double_}), pytest.raises(StandInError, match="read-only"):
        built(double)


def test_blocks_of_too_many_threads_are_refused(double, launches, capfd):
    trtp.autotune("m::double")(lambda x, outputs: [trtp.AutoTuneCombination("FP32, FP32", "LINEAR", [2048])])
    assert built(double) is None
    assert "blocks of [2048, 1, 1] threads" in capfd.readouterr().out
    assert not launches


@pytest.fixture
def made(double, launches):
    return plan.read(built(double))


def test_a_plan_with_a_kernel_has_one_form(made):
    assert plan.read(plan.write(made)) == made
    (layer,) = made.layers
    assert (layer.kernel.name, layer.kernel.image, len(layer.kernel.launch)) == ("double", b"the image", 7)
