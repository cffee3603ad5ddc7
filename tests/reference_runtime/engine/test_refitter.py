"""New weights for an engine, on the constants that it holds."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.devices import host
from tests.support.runtime.recording import Log

pytestmark = pytest.mark.filterwarnings("ignore:Use Deprecated in TensorRT 10.1")
ROLE = trt.WeightsRole


class Kept(trt.IErrorRecorder):
    def report_error(self, code, text):
        self.error = (code, text)
        return False


def engine_of(log, *flags):
    """An engine that adds the constant "bias" to its input; a constant of whole numbers takes part."""
    builder = trt.Builder(log)
    network, config = builder.create_network(), builder.create_builder_config()
    for flag in flags:
        config.set_flag(flag)
    bias = network.add_constant((2,), trt.Weights(np.array([1, 2], np.float32)))
    bias.name = "bias"
    shape = network.add_constant((1,), trt.Weights(np.array([2], np.int32)))
    shape.name = "shape"
    shuffled = network.add_shuffle(network.add_input("x", trt.float32, (2,)))
    shuffled.set_input(1, shape.get_output(0))
    added = network.add_elementwise(shuffled.get_output(0), bias.get_output(0), trt.ElementWiseOperation.SUM)
    added.get_output(0).name = "y"
    network.mark_output(added.get_output(0))
    return builder.build_engine_with_config(network, config)


@pytest.fixture
def log():
    return Log()


@pytest.fixture
def engine(log):
    return engine_of(log, trt.BuilderFlag.REFIT)


@pytest.fixture
def refitter(engine, log):
    return trt.Refitter(engine, log)


def ran(context):
    device = host.current_device()
    source, target = device.allocate(8), device.allocate(8)
    source.write(np.array([10, 20], np.float32))
    assert context.execute_v2([source.address, target.address])
    return target.read(np.float32, 2).tolist()


def new(values=(5, 6), dtype=np.float32):
    return trt.Weights(np.array(values, dtype))


def test_an_engine_that_was_not_built_for_it_has_no_refitter(log):
    with pytest.raises(TypeError, match="factory function returned nullptr"):
        trt.Refitter(engine_of(log), log)
    assert "the engine was not built with BuilderFlag.REFIT" in log.errors[0]


def test_constants_with_a_fraction_can_be_refitted(refitter):
    assert refitter.get_all_weights() == ["bias"]
    assert refitter.get_all() == (["bias"], [ROLE.CONSTANT])
    assert (refitter.get_missing(), refitter.get_missing_weights()) == (([], []), [])


def test_a_refitted_engine_computes_with_the_new_weights(engine, refitter):
    context = engine.create_execution_context()
    assert ran(context) == [11, 22]
    assert refitter.set_weights("bias", ROLE.CONSTANT, new()) is True
    assert ran(context) == [11, 22]
    assert refitter.refit_cuda_engine() is True
    assert ran(context) == ran(engine.create_execution_context()) == [15, 26]


def test_weights_are_borrowed_and_read_at_each_refit(engine, refitter):
    mine = np.array([5, 6], np.float32)
    refitter.set_named_weights("bias", trt.Weights(mine))
    mine[:] = 0
    refitter.refit_cuda_engine()
    assert ran(engine.create_execution_context()) == [10, 20]


def test_a_refitted_engine_keeps_its_weights_in_its_bytes(engine, refitter, log):
    refitter.set_weights("bias", ROLE.ANY, new())
    refitter.refit_cuda_engine()
    again = trt.Runtime(log).deserialize_cuda_engine(engine.serialize())
    assert ran(again.create_execution_context()) == [15, 26]


def test_an_array_is_taken_for_weights(engine, refitter):
    mine = np.array([5, 6], np.float32)
    assert refitter.set_named_weights("bias", mine) is True
    refitter.refit_cuda_engine()
    assert ran(engine.create_execution_context()) == [15, 26]


def test_weights_may_lie_on_the_device(engine, refitter):
    buffer = host.current_device().allocate(8)
    buffer.write(np.array([7, 8], np.float32))
    weights = trt.Weights(trt.float32, buffer.address, 2)
    assert refitter.set_named_weights("bias", weights, trt.TensorLocation.DEVICE) is True
    assert refitter.get_weights_location("bias") == trt.TensorLocation.DEVICE
    assert refitter.refit_cuda_engine_async(0) is True
    assert ran(engine.create_execution_context()) == [17, 28]


@pytest.mark.parametrize(
    ("name", "role", "weights", "words"),
    [
        ("other", ROLE.CONSTANT, new(), "no weights that can be refitted have the name 'other'"),
        ("shape", ROLE.CONSTANT, new([3], np.int32), "no weights that can be refitted have the name 'shape'"),
        ("bias", ROLE.KERNEL, new(), "layer 'bias' is a constant, which has no weights of role KERNEL"),
        ("bias", ROLE.CONSTANT, new([1]), "'bias' needs 2 weights of type FLOAT, not 1 of type FLOAT"),
        ("bias", ROLE.CONSTANT, new([1, 2], np.float16), "not 2 of type HALF"),
    ],
)
def test_weights_that_do_not_fit_are_refused(refitter, log, name, role, weights, words):
    assert refitter.set_weights(name, role, weights) is False
    assert log.errors[0].startswith("IRefitter::setWeights: Error Code 3: API Usage Error (")
    assert words in log.errors[0]


def test_weights_that_were_set_can_be_asked_for_and_forgotten(refitter, log):
    mine = new()
    refitter.set_named_weights("bias", mine)
    assert refitter.get_named_weights("bias") is mine
    assert refitter.get_weights_location("bias") == trt.TensorLocation.HOST
    assert refitter.unset_named_weights("bias") is True
    assert refitter.unset_named_weights("bias") is False
    assert refitter.get_named_weights("bias").size == 0
    assert refitter.get_weights_location("bias") == trt.TensorLocation.HOST
    assert [error.partition(":")[0] for error in log.errors] == ["IRefitter"] * 2


def test_a_prototype_tells_type_and_number(refitter):
    known, unknown = refitter.get_weights_prototype("bias"), refitter.get_weights_prototype("other")
    assert (known.dtype, known.size) == (trt.float32, 2)
    assert unknown.size == -1


def test_a_refitter_has_settings(refitter, log):
    assert refitter.logger is log
    assert (refitter.max_threads, refitter.weights_validation, refitter.error_recorder) == (1, True, None)
    refitter.max_threads, refitter.weights_validation = 4, False
    refitter.max_threads = 0
    assert (refitter.max_threads, refitter.weights_validation) == (4, False)
    assert "a refitter needs at least 1 thread, not 0" in log.errors[0]


def test_a_recorder_hears_what_is_refused(refitter, log):
    refitter.error_recorder = kept = Kept()
    assert refitter.set_named_weights("other", new()) is False
    assert kept.error[0] == trt.ErrorCodeTRT.INVALID_ARGUMENT
    assert log.errors == []


def test_no_dynamic_range_can_be_refitted(refitter, log):
    assert refitter.get_tensors_with_dynamic_range() == []
    assert refitter.get_dynamic_range("x") == (0.0, 0.0)
    assert refitter.set_dynamic_range("x", (-1, 1)) is False
    assert len(log.errors) == 2
    with pytest.raises(ValueError, match="Dynamic range must contain exactly 2 elements"):
        refitter.set_dynamic_range("x", [1.0])
