"""Applications end to end: what a user types, and what comes of it."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
APPS = """
    import os
    import threading

    import tensorrt as trt

    PLUGIN_APPS = [lambda: None]


    def context():
        logger = trt.Logger(trt.Logger.ERROR)
        builder = trt.Builder(logger)
        network = builder.create_network()
        layer = network.add_activation(network.add_input("x", trt.float32, (-1, 4)), trt.ActivationType.RELU)
        network.mark_output(layer.get_output(0))
        config, profile = builder.create_builder_config(), builder.create_optimization_profile()
        profile.set_shape("x", (1, 4), (2, 4), (8, 4))
        config.add_optimization_profile(profile)
        data = builder.build_serialized_network(network, config)
        return trt.Runtime(logger).deserialize_cuda_engine(data).create_execution_context()


    def sound():
        print("shape", context().set_input_shape("x", (3, 4)))


    def careless():
        made = context()
        made.set_input_shape("x", (9, 4))
        made.execute_async_v3(0)


    def raising():
        context()
        raise ValueError("nobody knows why")


    def dying():
        os.abort()


    def hanging():
        threading.Event().wait()


    def served(port):
        pass
"""


@pytest.fixture
def certify(certify_as_a_user, pytester):
    """Run pytest as a user would, with the applications at hand."""
    pytester.makepyfile(my_app=APPS)
    return certify_as_a_user


def failed(report, name):
    (found,) = [plugin for plugin in report["plugins"] if plugin["key"] == name]
    assert (found["case"], found["interface"]) == ("run", "application")
    return found["verdict"], {rule["id"] for rule in found["rules"] if rule["verdict"] == "FAIL"}


def test_each_application_has_its_verdict(certify):
    names = ("sound", "careless", "raising", "dying", "hanging")
    result, report = certify("--plugin-timeout=5", *(f"--plugin-app=my_app:{name}" for name in names))
    assert result.ret == 1
    assert {name: failed(report, f"my_app:{name}") for name in names} == {
        "sound": ("CONFORMS", set()),
        "careless": ("FAILS", {"CTX-004"}),
        "raising": ("FAILS", {"APP-001"}),
        "dying": ("FAILS", {"APP-001"}),
        "hanging": ("FAILS", {"APP-001"}),
    }
    result.stdout.fnmatch_lines([
        "  where     my_app.py:28, context 1.set_input_shape(name='x', shape=(9, 4))",
        "  what      the application raised ValueError: nobody knows why",
        "  where     my_app.py:34",
        "  what      application died by SIGABRT*",
        "  what      application did not return within 5 s*",
        "CONFORMS level 5 · my_app:sound · * rules passed, * evaluations, * N/A",
        "FAILS · my_app:careless · 1 rule failed (CTX-004)*",
    ], consecutive=False)  # fmt: skip
    left_out = [line for line in result.outlines if line.startswith("left out: ")]
    assert left_out == [
        f"left out: plugins of my_app:{name} in my_app.py: {why}"
        for name, why in {
            "sound": "the program builds no network with a plugin",
            "careless": "the program builds no network with a plugin",
            "raising": "the run that records them ended early: ValueError: nobody knows why",
            "dying": "the run that records them died by SIGABRT",
            "hanging": "the run that records them did not return within 15 s",
        }.items()
    ]


def test_what_is_no_application_is_a_usage_error(certify):
    result, _ = certify("--plugin-app=my_ap:sound")
    assert result.ret == 4
    told = "there is no module named 'my_ap'; searched in * (did you mean 'my_app'?)"
    result.stderr.fnmatch_lines([f"ERROR: --plugin-app=my_ap:sound: {told}"])


def test_a_module_lists_its_applications_beside_its_plugins(certify, pytester):
    pytester.makepyfile(
        both="from plugin_examples.faulty.bases.sound_scale import ScaleCreator\n"
        "class MineCreator(ScaleCreator):\n"
        "    pass\n"
        "import my_app\n"
        "from my_app import sound\n"
        "PLUGIN_APPS = [sound, 'careless_too']\n"
        "def careless_too():\n"
        "    my_app.careless()\n"
    )
    result, report = certify("--plugin-module=both", "--plugin-select=CTX,REG-002")
    assert result.ret == 1
    assert failed(report, "both:careless_too") == ("FAILS", {"CTX-004"})
    assert failed(report, "both:sound") == ("PARTIAL", set())
    assert len(report["plugins"]) == 3


OLD = """
    import cupy as cp
    import numpy as np
    import tensorrt as trt


    def main(rows=9):
        logger = trt.Logger(trt.Logger.INTERNAL_ERROR)
        builder = trt.Builder(logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.EXPLICIT_BATCH))
        layer = network.add_activation(network.add_input("x", trt.float32, (-1, 4)), trt.ActivationType.RELU)
        network.mark_output(layer.get_output(0))
        config, profile = builder.create_builder_config(), builder.create_optimization_profile()
        profile.set_shape("x", (1, 4), (2, 4), (8, 4))
        config.add_optimization_profile(profile)
        data = builder.build_serialized_network(network, config)
        context = trt.Runtime(logger).deserialize_cuda_engine(data).create_execution_context()
        x, y = cp.ones((rows, 4), np.float32), cp.empty((rows, 4), np.float32)
        context.set_binding_shape(0, (rows, 4))
        context.execute_v2([x.data.ptr, y.data.ptr])


    def sound():
        main(rows=3)
"""


def test_applications_by_binding_are_judged_at_8_6(certify, pytester):
    pytester.makepyfile(old=OLD)
    _, report = certify("--plugin-spec=8.6", "--plugin-app=old:main", "--plugin-app=old:sound")
    assert failed(report, "old:main") == ("FAILS", {"CTX-004"})
    assert failed(report, "old:sound") == ("CONFORMS", set())


def test_an_item_of_an_application_can_be_typed(certify):
    result, report = certify("--plugin-app=my_app:careless", "conformance::my_app:careless::run::CTX-004")
    assert result.ret == 1
    assert [rule["id"] for rule in report["plugins"][0]["rules"]] == ["CTX-004"]
    assert "my_app.py" in report["plugins"][0]["rules"][0]["violations"][0]["where"]


@pytest.mark.nightly
def test_workers_judge_applications_too(certify):
    result, report = certify("--plugin-app=my_app:sound", "--plugin-app=my_app.py:careless", "-n2")
    assert result.ret == 1
    assert {plugin["verdict"] for plugin in report["plugins"]} == {"CONFORMS", "FAILS"}


def test_applications_are_judged_in_this_process_on_request(certify):
    result, report = certify("--plugin-app=my_app:careless", "--plugin-isolation=none")
    assert result.ret == 1
    assert failed(report, "my_app:careless") == ("FAILS", {"CTX-004"})


KERNEL = """
    import numpy as np
    import tensorrt as trt
    import tensorrt.plugin as trtp
    import cupy as cp
    from plugin_examples.decorated import leaky_relu_aot


    def main():
        logger = trt.Logger(trt.Logger.ERROR)
        builder = trt.Builder(logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.PREFER_AOT_PYTHON_PLUGINS))
        layer = network.add_plugin(trtp.op.example.leaky_relu(network.add_input("x", trt.float32, (2, 4)), slope=0.1))
        layer.get_output(0).name = "y"
        network.mark_output(layer.get_output(0))
        data = builder.build_serialized_network(network, builder.create_builder_config())
        context = trt.Runtime(logger).deserialize_cuda_engine(data).create_execution_context()
        stream = cp.cuda.Stream(non_blocking=True)
        with stream:
            x, y = cp.zeros((2, 4), np.float32), cp.zeros((2, 4), np.float32)
        context.set_tensor_address("x", x.data.ptr)
        context.set_tensor_address("y", y.data.ptr)
        if not context.execute_async_v3(stream.ptr):
            raise RuntimeError("it was not executed")
        stream.synchronize()
"""


@pytest.mark.parametrize(
    ("cases", "verdict"), [([], "NOT-RUN"), (["--plugin-cases=plugin_examples.decorated.leaky_relu_aot_cases"], "PASS")]
)
def test_stand_ins_come_from_further_cases_too(cases, verdict, certify, pytester):
    pytester.makepyfile(kernel=KERNEL)
    _, report = certify("--plugin-app=kernel:main", "--plugin-select=APP-001", *cases)
    (found,) = report["plugins"]
    assert [rule["verdict"] for rule in found["rules"] if rule["id"] == "APP-001"] == [verdict]


SCRIPT = """
    import sys
    import cupy as cp
    import numpy as np
    import tensorrt as trt
    from plugin_examples.faulty.bases.sound_scale import ScaleCreator


    def main():
        class Creator(ScaleCreator):  # what the import of this file does not show
            pass

        creator = Creator()
        trt.get_plugin_registry().register_creator(creator, "")
        logger = trt.Logger(trt.Logger.ERROR)
        builder = trt.Builder(logger)
        network = builder.create_network()
        factor = np.array([float(sys.argv[1])], np.float32)
        fields = trt.PluginFieldCollection([trt.PluginField("factor", factor, trt.PluginFieldType.FLOAT32)])
        plugin = creator.create_plugin("scale", fields)
        network.mark_output(network.add_plugin_v2([network.add_input("x", trt.float32, (2, 3))], plugin).get_output(0))
        data = builder.build_serialized_network(network, builder.create_builder_config())
        context = trt.Runtime(logger).deserialize_cuda_engine(data).create_execution_context()
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        given, computed = cp.asarray(x), cp.empty((2, 3), np.float32)
        context.set_tensor_address(context.engine.get_tensor_name(0), given.data.ptr)
        context.set_tensor_address(context.engine.get_tensor_name(1), computed.data.ptr)
        stream = cp.cuda.Stream(non_blocking=True)
        cp.cuda.Device().synchronize()
        assert context.execute_async_v3(stream.ptr)
        stream.synchronize()
        y = computed.get()
        assert np.allclose(y, x * factor)


    if __name__ == "__main__":
        main()
"""


def test_the_plugins_of_a_script_are_judged_as_it_uses_them(certify, pytester):
    pytester.makepyfile(scaled=SCRIPT)
    result, report = certify(
        "--plugin-app=scaled.py 2.5", "--plugin-select=APP-001,FMT-001,ENQ-010", "--plugin-level=1"
    )
    assert result.ret == 0
    found = {plugin["key"]: plugin for plugin in report["plugins"]}
    assert set(found) == {"scaled:__main__", "/Scale/1"}
    assert {rule["id"]: rule["verdict"] for rule in found["/Scale/1"]["rules"]} == {
        "FMT-001": "PASS",
        "ENQ-010": "PASS",
    }
    assert [rule["verdict"] for rule in found["scaled:__main__"]["rules"]] == ["PASS"]


@pytest.mark.nightly
def test_a_script_that_does_less_when_it_runs_again_is_no_error_of_ours(certify, pytester):
    """Its thread keeps its process from forking, so each rule runs the script again."""
    further = """
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        if not os.path.exists("seen"):
            open("seen", "w").close()
            sys.argv[1] = "7"
            main()
"""
    imports = "    import os\n    import threading\n    import cupy"
    pytester.makepyfile(scaled=SCRIPT.replace("    import cupy", imports, 1).rstrip() + further)
    result, report = certify("--plugin-app=scaled.py 2.5", "--plugin-select=FMT-001", "--plugin-level=1")
    found = {
        (plugin["case"], rule["id"]): (rule["verdict"], rule["reason"])
        for plugin in report["plugins"]
        for rule in plugin["rules"]
    }
    assert result.ret == 0, found
    assert found["program", "FMT-001"][0] == "PASS"
    assert found["program-2", "FMT-001"][0] == "NOT-RUN"
    assert "a second run of the program did not use this case" in found["program-2", "FMT-001"][1]


def test_a_script_that_needs_an_argument_fails_without_it(certify, pytester):
    pytester.makepyfile(scaled=SCRIPT)
    result, report = certify("--plugin-app=scaled.py", "--plugin-select=APP-001,FMT-001", "--plugin-level=1")
    assert result.ret == 1
    assert {plugin["key"] for plugin in report["plugins"]} == {"scaled:__main__"}
    result.stdout.fnmatch_lines(["left out: plugins of scaled.py:__main__ in scaled.py: * ended early: IndexError: *"])
    (remark,) = [each for each in report["left_out"] if each.startswith("plugins of scaled.py:__main__ not judged: ")]
    assert "ended early: IndexError" in remark


def test_a_script_that_is_not_there_is_a_usage_error(certify):
    result, _ = certify("--plugin-app=sacled.py --fast")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --plugin-app=sacled.py:__main__ --fast: there is no file *sacled.py*"])


@pytest.mark.real_processes
def test_recorded_cases_are_cases(certify, pytester):
    pytester.makepyfile(scaled=SCRIPT.replace("class Creator", "global Creator\n        class Creator"))
    recorded = pytester.run("trt-conformance", "record", "-o", "recorded_cases.py", "scaled.py", "2.5")
    assert recorded.ret == 0
    recorded.stderr.fnmatch_lines(["recorded_cases.py: 1 case; pytest --plugin-module=scaled.py *"])
    text = (pytester.path / "recorded_cases.py").read_text()
    assert '"factor": np.array([2.5], np.float32)' in text
    assert "\"reference\": lambda x0, *, fields: x0 * fields['factor']," in text
    pytester.makepyfile(plugins="from plugin_examples.faulty.bases.sound_scale import ScaleCreator, publish\n"
                        "class Creator(ScaleCreator):\n    pass\n")  # fmt: skip
    result, _ = certify("--plugin-module=plugins", "--plugin-cases=recorded_cases.py", "--plugin-select=ENQ-010")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["PARTIAL * 1 rule passed*"])


@pytest.mark.real_processes
def test_a_program_without_a_plugin_has_no_cases(pytester):
    pytester.makepyfile(my_app=APPS)
    recorded = pytester.run("trt-conformance", "record", "my_app:sound")
    assert recorded.ret == 1
    recorded.stderr.fnmatch_lines(["trt-conformance: the program built no network with a plugin; no file was written"])
