"""A program is run once, and each way in which it uses a plugin becomes a case."""

import importlib.util
import itertools
import sys

import numpy as np
import pytest

from harness.child import import_names
from harness.child.recording.recorded import record
from harness.config import program as programs
from reference_runtime.devices.host import HostDevice

_NUMBERS = itertools.count()
PROGRAM = """
import sys
import cupy as cp
import numpy as np
import tensorrt as trt
from plugin_examples.faulty.bases.sound_scale import ScaleCreator

creator = ScaleCreator()


def network_of(dims, factor, name=""):
    logger = trt.Logger(trt.Logger.ERROR)
    builder = trt.Builder(logger)
    network = builder.create_network()
    x = network.add_input("x", trt.float32, dims)
    data = np.array([factor], np.float32)  # a field does not keep its data alive
    fields = trt.PluginFieldCollection([trt.PluginField("factor", data, trt.PluginFieldType.FLOAT32)])
    layer = network.add_plugin_v2([x], creator.create_plugin("scale", fields))
    if name:
        layer.name = name
    network.mark_output(layer.get_output(0))
    return logger, builder, network


def built(made, *corners):
    logger, builder, network = made
    config = builder.create_builder_config()
    if corners:
        profile = builder.create_optimization_profile()
        profile.set_shape("x", *corners)
        config.add_optimization_profile(profile)
    data = builder.build_serialized_network(network, config)
    return trt.Runtime(logger).deserialize_cuda_engine(data).create_execution_context()


def executed(context, data):
    x, y = cp.asarray(data), cp.empty_like(cp.asarray(data))
    engine = context.engine
    context.set_input_shape("x", data.shape)
    context.set_tensor_address(engine.get_tensor_name(0), x.data.ptr)
    context.set_tensor_address(engine.get_tensor_name(1), y.data.ptr)
    assert context.execute_async_v3(0)
    cp.cuda.runtime.deviceSynchronize()
    return y.get()


def main():
    trt.get_plugin_registry().register_creator(creator, "")
    BODY
"""


EXACT = """from plugin_examples.faulty.bases.sound_scale import Scale

class Exact(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.name = "Exact"

    def create_plugin(self, name, field_collection):
        plugin = Scale(float(field_collection[0].data))
        plugin.plugin_type = "Exact"
        return plugin

registry, exact = trt.get_plugin_registry(), Exact()
registry.register_creator(exact, "")
builder = trt.Builder(trt.Logger(trt.Logger.ERROR))
network = builder.create_network()
data = np.array([3], np.float32)
fields = trt.PluginFieldCollection([trt.PluginField("factor", data, trt.PluginFieldType.FLOAT32)])
layer = network.add_plugin_v2([network.add_input("x", trt.float32, (2, 3))], MAKE)
network.mark_output(layer.get_output(0))
builder.build_serialized_network(network, builder.create_builder_config())
"""


@pytest.fixture(autouse=True)
def names():
    """Let programs import `tensorrt` and `cupy`."""
    import_names.install(cupy=True)
    yield
    import_names.uninstall()


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Run a program whose main function has a body, and return what it left."""

    def run(body, arguments=""):
        name = f"recorded_program_{next(_NUMBERS)}"
        (tmp_path / f"{name}.py").write_text(PROGRAM.replace("BODY", body.replace("\n", "\n    ")))
        monkeypatch.syspath_prepend(str(tmp_path))
        program = programs.parse(f"{name}:main {arguments}")
        return record(program, importlib.import_module, device=HostDevice(), seed=0)

    return run


def test_fields_types_and_profile_are_those_of_the_program(recorded):
    found = recorded("built(network_of((-1, 4), 1.5, 'mine'), (1, 4), (2, 4), (8, 4))")
    assert found.error == ""
    (case,) = found.cases
    assert (case.plugin, case.version, case.namespace, case.name) == ("Scale", "1", "", "mine")
    data, kind = case.fields["factor"]
    assert (data.tolist(), kind.name) == ([1.5], "FLOAT32")
    (entry,) = case.inputs
    assert (entry.network_dims, entry.profile, entry.types) == ((-1, 4), ((1, 4), (2, 4), (8, 4)), ("float32",))
    assert (found.error, found.problems, found.keys) == ("", (), {"/Scale/1"})


def test_uses_that_differ_are_cases_of_their_own_and_equal_ones_are_one(recorded):
    found = recorded("for factor in (1.5, 2.5, 1.5):\n    built(network_of((2, 4), factor))")
    assert [(case.name, case.fields["factor"][0].tolist()) for case in found.cases] == [
        ("program", [1.5]),
        ("program-2", [2.5]),
    ]


@pytest.mark.parametrize(
    ("data", "values"),
    [
        ("np.linspace(-1, 1, 8)", None),
        ("np.linspace(0.1, 1234.5, 8)", (0.1, 1240.0)),
        ("np.linspace(-50.12, 1, 8)", (-50.2, 1.0)),
        ("np.zeros(8)", None),
    ],
)
def test_data_are_drawn_from_where_the_programs_data_lie(recorded, data, values):
    found = recorded(f"executed(built(network_of((2, 4), 1.5)), {data}.astype(np.float32).reshape(2, 4))")
    assert found.cases[0].inputs[0].values == values


def test_the_programs_comparison_is_the_reference(recorded):
    found = recorded(
        "x = np.arange(8, dtype=np.float32).reshape(2, 4)\n"
        "factor = 1.5\n"
        "wanted = x * np.float32(factor)\n"
        "y = executed(built(network_of((2, 4), 1.5)), x)\n"
        "assert np.allclose(y, wanted)"
    )
    assert found.error == ""
    reference = found.cases[0].reference
    assert reference.source == "lambda x0, *, fields: x0 * np.float32(fields['factor'].item())"
    assert reference(np.ones(2, np.float32), fields=found.cases[0].fields).tolist() == [1.5, 1.5]


@pytest.mark.parametrize(
    "body",
    [
        # the field's value is in the expression as a number: nobody knows what it is for another one
        "y = executed(made, x)\nassert np.allclose(y, x * np.float32(1.5))",
        # what was computed has been put in another order
        "y = executed(made, x)\ny = y[np.argsort(y[:, 0])]\nassert np.allclose(y, x * np.float32(factor))",
        # what is compared with has been changed after it was made
        "y = executed(made, x)\nwanted = x * 1\nwanted *= np.float32(factor)\nassert np.allclose(y, wanted)",
        # it is not what the plugin has computed
        "y = executed(made, x)\nassert np.allclose(y + 1, x * np.float32(factor) + 1)",
    ],
)
def test_what_may_be_right_by_chance_is_no_reference(recorded, body):
    found = recorded(
        "x, factor = np.arange(8, dtype=np.float32).reshape(2, 4), 1.5\nmade = built(network_of((2, 4), 1.5))\n" + body
    )
    assert found.error == ""
    assert [case.reference for case in found.cases] == [None]


@pytest.mark.parametrize(
    "make", ["exact.create_plugin('x', fields)", "registry.get_creator('Exact', '1', '').create_plugin('x', fields)"]
)
def test_a_creator_that_uses_a_field_as_a_number_does_not_end_the_program(recorded, make):
    """PFD-007 reports it, and the plugin is judged by all other rules, too."""
    found = recorded(EXACT.replace("MAKE", make))
    assert found.error == ""
    (case,) = found.cases
    assert case.plugin == "Exact"
    assert case.fields["factor"][0].tolist() == [3]


def test_a_program_that_fails_leaves_what_it_did_before(recorded):
    found = recorded("built(network_of((2, 4), 1.5))\nraise ValueError('nobody knows why')")
    assert [case.name for case in found.cases] == ["program"]
    assert "ValueError: nobody knows why" in found.error


def test_a_dynamic_dimension_without_a_profile_is_told(recorded):
    found = recorded("built(network_of((-1, 4), 1.5))")
    assert found.cases == ()
    assert found.problems == ("input 'x' has dynamic dimensions and no profile",)


def test_a_run_leaves_nothing_behind(recorded):
    from plugin_examples.faulty.bases.sound_scale import ScaleCreator  # noqa: PLC0415 - the name tensorrt is ours now

    before = (ScaleCreator.create_plugin, np.allclose, np.testing.assert_allclose, list(sys.argv))
    found = recorded("assert sys.argv[1:] == ['--fast']\nbuilt(network_of((2, 4), 1.5))", "--fast")
    assert found.error == ""
    assert (ScaleCreator.create_plugin, np.allclose, np.testing.assert_allclose, list(sys.argv)) == before
