"""What Polygraphy is asked to do where ``tensorrt`` is the reference runtime: ``scenarios.py NAME,...``."""

import contextlib
import importlib
import os
import sys
import tempfile

import networks
import networks_v3
import tensorrt as trt
from polygraphy.backend import trt as backend
from polygraphy.backend.trt import util

SHAPES = [[(1, 3), (2, 3), (4, 3)], [(5, 3), (6, 3), (7, 3)]]


def network_is_shown():
    """The text of a network names its layers, with their attributes and tensors."""
    _, network = networks.load_network()
    text = util.str_from_network(network, show_layers=True, show_attrs=True, show_weights=True)
    assert all(word in text for word in ("relu", "PLUGIN_V2", "plus", "ELEMENTWISE", "ElementWiseOperation.SUM")), text
    assert "x [dtype=float32, shape=(-1, 3)]" in text, text


def network_metadata():
    """Names, types and shapes of inputs and outputs are read."""
    _, network = networks.load_network()
    names, inputs = util.get_network_input_names_meta(network)
    assert names == ["x"]
    assert tuple(inputs["x"].shape) == (-1, 3)
    assert util.get_network_output_names_meta(network)[0] == ["y"]


def configuration_is_shown():
    """A configuration is made with profiles and flags, and read back."""
    builder, network = networks.load_network()
    config = networks.config()(builder, network)
    assert config.num_optimization_profiles == 2
    text = util.str_from_config(config, network)
    assert "FP16" in text, text
    assert "2 profile(s)" in text, text


def outputs_are_modified():
    """Every tensor is marked, and then one alone."""
    made = networks.load_network()
    backend.modify_network_outputs(made, outputs=["*"])
    _, network = made
    assert network.num_outputs == 3
    backend.modify_network_outputs(made, outputs=["y"])
    assert [network.get_output(index).name for index in range(network.num_outputs)] == ["y"]


def precisions_types_and_formats_are_set():
    """The loaders that change layers and tensors of a network do."""
    made = networks.load_network()
    backend.set_layer_precisions(made, {"plus": trt.float32})
    backend.set_tensor_formats(made, {"x": [trt.TensorFormat.LINEAR]})
    _, network = made
    layers = {layer.name: layer for layer in network}
    assert layers["plus"].precision == trt.float32
    assert network.get_input(0).allowed_formats == 1 << int(trt.TensorFormat.LINEAR)


def engine_from_network():
    """An engine is built with two profiles, and shown with its layers."""
    engine = backend.engine_from_network(networks.load_network, config=networks.config())
    assert engine.num_optimization_profiles == 2
    assert [[tuple(shape) for shape in engine.get_tensor_profile_shape("x", index)] for index in (0, 1)] == SHAPES
    text = util.str_from_engine(engine, engine.create_execution_context(), show_layers=True, show_attrs=True)
    assert all(word in text for word in ("relu", "Profile: 1", "min=(5, 3), opt=(6, 3), max=(7, 3)")), text


def layers_of_an_engine_are_shown():
    """With one profile, every layer is; Polygraphy divides their number by that of the profiles."""
    config = backend.CreateConfig(profiles=[backend.Profile().add("x", *SHAPES[0])])
    engine = backend.engine_from_network(networks.load_network, config=config)
    text = util.str_from_engine(engine, engine.create_execution_context(), show_layers=True, show_attrs=True)
    assert "relu [Op: PluginV2]" in text, text
    assert "plus" in text, text


def engine_metadata():
    """Inputs and outputs of an engine are read."""
    engine = backend.engine_from_network(networks.load_network, config=networks.config())
    context = engine.create_execution_context()
    found = util.get_metadata_from_engine(engine, context, trt.TensorIOMode.OUTPUT)
    assert tuple(found["y"].shape) == (-1, 3)


def engine_is_saved_and_loaded():
    """The bytes that are saved are the bytes that are built, and load as an engine with the same tensors."""
    built = bytes(backend.engine_bytes_from_network(networks.load_network, config=networks.config()))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "engine.plan")  # noqa: PTH118 - as a user would write it
        backend.save_engine(backend.engine_from_bytes(built), path)
        engine = backend.engine_from_path(path)
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            assert file.read() == built
    assert bytes(backend.bytes_from_engine(engine)) == built
    assert [engine.get_tensor_name(index) for index in range(engine.num_io_tensors)] == ["x", "y"]


def timing_cache_is_saved():
    """The timing cache of a build is written, and read by the next build."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "timing.cache")  # noqa: PTH118 - as above
        for _ in range(2):
            backend.engine_bytes_from_network(
                networks.load_network,
                config=backend.CreateConfig(profiles=[backend.Profile().add("x", *SHAPES[0])], load_timing_cache=path),
                save_timing_cache=path,
            )
            assert os.path.getsize(path) > 0  # noqa: PTH202 - as above


def a_plugin_of_version_3_is_shown_built_saved_and_loaded():
    """A network with an IPluginV3 is shown and built; its engine is saved, loaded, shown, and saved as it was."""
    _, network = networks_v3.load_network()
    text = util.str_from_network(network, show_layers=True, show_attrs=True, show_weights=True)
    assert all(word in text for word in ("relu", "PLUGIN_V3", "minus", "UnaryOperation.NEG")), text
    built = bytes(backend.engine_bytes_from_network(networks_v3.load_network, config=networks_v3.config()))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "engine.plan")  # noqa: PTH118 - as above
        backend.save_engine(backend.engine_from_bytes(built), path)
        engine = backend.engine_from_path(path)
    assert bytes(backend.bytes_from_engine(engine)) == built
    assert tuple(engine.get_tensor_shape("y")) == (-1, 3)
    text = util.str_from_engine(engine, engine.create_execution_context(), show_layers=True, show_attrs=True)
    assert all(word in text for word in ("relu [Op: PluginV3]", "minus", "min=(1, 3), opt=(2, 3), max=(4, 3)")), text


def a_model_is_read(path, plugins):
    """A network comes of an ONNX file whose plugins a module registers, an engine of it, and the engine is shown."""
    importlib.import_module(plugins)
    parsed = backend.network_from_onnx_path(path)
    dims = [(1, 3, 1, 8), (2, 3, 4, 8), (4, 3, 8, 8)]
    engine = backend.engine_from_network(parsed, backend.CreateConfig(profiles=[backend.Profile().add("x", *dims)]))
    text = util.str_from_engine(engine, engine.create_execution_context())
    assert "x [dtype=float32, shape=(-1, 3, -1, 8)]" in text, text


def engine_is_written(path):
    """Write an engine for the command line to look at."""
    backend.save_engine(backend.engine_from_network(networks.load_network, config=networks.config()), path)


if __name__ == "__main__":
    with contextlib.redirect_stderr(sys.stdout):
        for name in sys.argv[1].split(","):
            globals()[name](*sys.argv[2:])
