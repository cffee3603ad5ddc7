"""OnnxParserRefitter: the weights of another model for an engine."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.devices import host
from tests.support.runtime.onnx_models import model, node
from tests.support.runtime.recording import Log


def added(weights):
    return model([node("Add", "x w", "y")], {"x": [2]}, {"y": [2]}, w=np.array(weights, np.float32))


@pytest.fixture
def engine():
    log = Log()
    builder = trt.Builder(log)
    network, config = builder.create_network(), builder.create_builder_config()
    assert trt.OnnxParser(network, log).parse(added([1, 2]).SerializeToString())
    config.set_flag(trt.BuilderFlag.REFIT)
    return builder.build_engine_with_config(network, config)


@pytest.fixture
def refitter(engine):
    return trt.Refitter(engine, Log())


@pytest.fixture
def reader(refitter):
    return trt.OnnxParserRefitter(refitter, Log())


def ran(engine):
    device = host.current_device()
    source, target = device.allocate(8), device.allocate(8)
    source.write(np.array([10, 20], np.float32))
    assert engine.create_execution_context().execute_v2([source.address, target.address])
    return target.read(np.float32, 2).tolist()


def test_weights_go_by_the_names_of_initializers(engine, refitter, reader):
    assert ran(engine) == [11, 22]
    assert reader.refit_from_bytes(added([5, 6]).SerializeToString())
    assert refitter.refit_cuda_engine()
    assert ran(engine) == [15, 26]


def test_a_model_can_be_given_in_parts(engine, refitter, reader, tmp_path):
    data = np.array([7, 8], np.float32)
    assert not reader.refit_model_proto()
    assert reader.load_model_proto(added([0, 0]).SerializeToString())
    assert reader.load_initializer("w", data.ctypes.data, data.nbytes)
    assert reader.refit_model_proto()
    assert refitter.refit_cuda_engine()
    assert ran(engine) == [17, 28]
    (tmp_path / "m.onnx").write_bytes(added([1, 1]).SerializeToString())
    assert reader.refit_from_file(str(tmp_path / "m.onnx"))
    assert not reader.refit_from_file(str(tmp_path / "none.onnx"))


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (model([node("Relu", "x", "y")], {"x": [2]}, {"y": [2]}), "none of the model's initializers"),
        (added([1, 2, 3]), "the engine does not take initializer 'w'"),
    ],
)
def test_what_does_not_fit_is_an_error(reader, one, why):
    assert not reader.refit_from_bytes(one.SerializeToString())
    error = reader.get_error(0)
    assert error.code() == trt.ErrorCode.REFIT_FAILED
    assert str(error).startswith(f"(refitOnnxWeights): REFIT_FAILED: {why}")
    reader.clear_errors()
    assert reader.num_errors == 0
    with pytest.raises(NativeCrash):
        reader.get_error(0)
