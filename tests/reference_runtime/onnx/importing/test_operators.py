"""Operators of ONNX, each by one of ONNX's own tests of it: parsed, built, stored and run."""

import importlib
import warnings

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.devices import host
from reference_runtime.onnx.importing.operators import IMPORTED

STRONGLY = 1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)
TYPES = {"float32", "float16", "int8", "int32", "int64", "bool", "uint8"}
LEAST = 100
"""So many operators have a test that can be run; which ones depends on the version of onnx."""


def cases():
    """Yield the tests of one operator alone: its name, the model, its inputs and outputs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = importlib.import_module("onnx.backend.test.case.node").collect_testcases(None)
    for case in found:
        graph = case.model.graph
        given, wanted = case.data_sets[0]
        arrays = all(isinstance(value, np.ndarray | np.generic) for value in [*given, *wanted])
        alone = len(graph.node) == 1 and graph.node[0].op_type in IMPORTED and not case.model.functions
        if arrays and alone and {array.dtype.name for array in [*given, *wanted]} <= TYPES:
            names = [[entry.name for entry in entries] for entries in (graph.input, graph.output)]
            values = ([np.asarray(value) for value in each] for each in (given, wanted))
            pairs = (dict(zip(*pair, strict=True)) for pair in zip(names, values, strict=True))
            yield graph.node[0].op_type, case.model.SerializeToString(), *pairs


def built(data, arrays):
    """Return a plan for just these inputs, or None for what TensorRT has no engine for."""
    logger = trt.Logger(trt.Logger.INTERNAL_ERROR)
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONGLY), builder.create_builder_config()
    if not trt.OnnxParser(network, logger).parse(data):
        return None
    profile = builder.create_optimization_profile()
    inputs = [network.get_input(index) for index in range(network.num_inputs)]
    for name in (tensor.name for tensor in inputs if tensor.is_shape_tensor):
        if not np.issubdtype(arrays[name].dtype, np.integer):
            return None
        profile.set_shape_input(name, *[arrays[name].reshape(-1).tolist()] * 3)
    if any(tensor.is_shape_tensor for tensor in inputs):
        config.add_optimization_profile(profile)
    return builder.build_serialized_network(network, config)


def ran(plan, given, wanted):
    """Return the outputs of an engine; ``wanted`` has arrays like them."""
    engine = trt.Runtime(trt.Logger()).deserialize_cuda_engine(plan)
    context, device = engine.create_execution_context(), host.current_device()
    buffers, arrays = {}, {}
    for name in (engine.get_tensor_name(index) for index in range(engine.num_io_tensors)):
        like = (given | wanted)[name]
        arrays[name] = given[name].copy() if name in given else np.zeros_like(like)
        address = arrays[name].ctypes.data
        if engine.get_tensor_location(name) == trt.TensorLocation.DEVICE:
            buffers[name] = device.allocate(max(like.nbytes, 1))
            buffers[name].write(arrays[name])
            address = buffers[name].address
        context.set_tensor_address(name, address)
    assert context.execute_async_v3(0)
    shapes = {name: tuple(context.get_tensor_shape(name)) for name in wanted}
    assert shapes == {name: array.shape for name, array in wanted.items()}
    return {
        name: buffers[name].read(array.dtype, array.size).reshape(array.shape) if name in buffers else arrays[name]
        for name, array in wanted.items()
    }


def test_operators_give_what_onnx_wants_of_them():
    pytest.importorskip("onnx")
    done, wrong = set(), []
    for op_type, data, given, wanted in cases():
        if op_type in done or (plan := built(data, given)) is None:
            continue
        done.add(op_type)
        try:
            found = ran(plan, given, wanted)
            for name, array in wanted.items():
                np.testing.assert_allclose(found[name].astype(float), array.astype(float), 1e-3, 1e-3)
        except AssertionError as error:
            wrong.append((op_type, str(error)))
    assert not wrong
    assert len(done) >= LEAST, sorted(done)
