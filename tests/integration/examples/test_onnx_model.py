"""An ONNX model with standard operators around two plugin nodes: parsed, built, stored, loaded and run."""

import importlib
import importlib.util
import sys

import numpy as np
import pytest

import reference_runtime as trt
from harness.child import import_names
from plugin_examples.circ_pad_cases import circ_pad
from plugin_examples.multi_tactic_cases import polynomial
from reference_runtime.devices import host

if importlib.util.find_spec("onnx") is None:
    pytest.skip("onnx is not installed: pip install -e '.[onnx]'", allow_module_level=True)

from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from plugin_examples.models.two_plugins import DOMAIN, model

PLUGINS = ("plugin_examples.circ_pad", "plugin_examples.multi_tactic")


class CircPad(OpRun):
    op_domain = DOMAIN

    def _run(self, x, pads=None):
        return (circ_pad(x, fields={"pads": pads}),)


class Polynomial(OpRun):
    op_domain = DOMAIN

    def _run(self, x, coefficients=None):
        return (polynomial(x, fields={"coefficients": coefficients}),)


def expected(x):
    return ReferenceEvaluator(model(), new_ops=[CircPad, Polynomial]).run(None, {"x": x})[0]


@pytest.fixture(autouse=True)
def plugins():
    """The plugins' modules, imported under the names of ours; their creators go afterwards."""
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in ("tensorrt", "cupy")}
    import_names.install(cupy=True)
    registry = trt.get_plugin_registry()
    before = {id(creator) for creator in registry.all_creators}
    for name in PLUGINS:
        sys.modules.pop(name, None)
        importlib.import_module(name)
    yield
    for creator in [creator for creator in registry.all_creators if id(creator) not in before]:
        registry.deregister_creator(creator)
    for name in PLUGINS:
        sys.modules.pop(name, None)
    import_names.uninstall()
    sys.modules.update(others)


def plan_of(flags=0):
    logger = trt.Logger(trt.Logger.ERROR)
    builder = trt.Builder(logger)
    network, config = builder.create_network(flags), builder.create_builder_config()
    parser = trt.OnnxParser(network, logger)
    assert parser.parse(model().SerializeToString()), [str(parser.get_error(i)) for i in range(parser.num_errors)]
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, 3, 1, 8), (2, 3, 6, 8), (4, 3, 16, 8))
    config.add_optimization_profile(profile)
    return bytes(builder.build_serialized_network(network, config))


def ran(engine, x):
    context, device = engine.create_execution_context(), host.current_device()
    assert context.set_input_shape("x", x.shape)
    shape = tuple(context.get_tensor_shape("y"))
    source, target = device.allocate(x.nbytes), device.allocate(4 * int(np.prod(shape)))
    source.write(x)
    context.set_tensor_address("x", source.address)
    context.set_tensor_address("y", target.address)
    assert context.execute_async_v3(0)
    return target.read(np.float32, int(np.prod(shape))).reshape(shape)


@pytest.mark.parametrize("flags", [0, 1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)])
def test_it_computes_what_onnx_reference_does_with_the_plugins_oracles(flags):
    plan = plan_of(flags)
    engine = trt.Runtime(trt.Logger()).deserialize_cuda_engine(plan)
    assert bytes(engine.serialize()) == plan == plan_of(flags)
    for batch, height in ((1, 1), (2, 6), (4, 16), (3, 5)):
        x = np.random.default_rng(batch).normal(size=(batch, 3, height, 8)).astype(np.float32)
        np.testing.assert_allclose(ran(engine, x), expected(x), rtol=1e-5, atol=1e-6)


def test_its_layers_are_named_after_its_nodes():
    logger = trt.Logger()
    network = trt.Builder(logger).create_network()
    assert trt.OnnxParser(network, logger).parse(model().SerializeToString())
    kinds = {layer.name: layer.type.name for layer in network}
    assert [kinds[name] for name in ("/pad", "/conv", "/bend", "/extents", "/flat", "/softmax")] == [
        "PLUGIN_V2",
        "PLUGIN",
        "PLUGIN_V3",
        "SHAPE",
        "SHUFFLE",
        "PLUGIN",
    ]
