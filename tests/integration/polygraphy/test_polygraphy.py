"""Polygraphy, as it is on PyPI, works on the reference runtime: networks, configurations, engines and its inspections.

What it cannot do without CUDA is run an engine: ``TrtRunner`` allocates and copies through libcudart itself.
"""

import ast
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
SCENARIOS = [
    node.name
    for node in ast.parse((HERE / "scenarios.py").read_text()).body
    if isinstance(node, ast.FunctionDef) and not node.args.args
]
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("polygraphy") is None, reason="Polygraphy is not installed: pip install -e '.[onnx]'"
)


def run(*command):
    """Run a program on the reference runtime; return what it printed."""
    done = subprocess.run(  # noqa: S603 - our own programs
        [sys.executable, "-m", "harness.child.import_names", *command],
        cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_polygraphy_can():
    run(str(HERE / "scenarios.py"), ",".join(SCENARIOS))


def command_line(folder, plugins):
    """Write a program that is Polygraphy's command line where a module has registered its plugins."""
    program = folder / "command_line.py"
    program.write_text(f"import sys\nimport {plugins}\nfrom polygraphy.tools._main import main\nsys.exit(main())\n")
    return program


def test_the_command_line_shows_an_engine(tmp_path):
    plan = tmp_path / "engine.plan"
    run(str(HERE / "scenarios.py"), "engine_is_written", str(plan))
    register = command_line(tmp_path, "plugin_examples.leaky_relu")
    shown = run(str(register), "inspect", "model", str(plan), "--model-type", "engine", "--show", "layers", "attrs")
    assert "Profile: 1" in shown
    assert "relu" in shown


@pytest.mark.parametrize(
    ("script", "words"),
    [
        pytest.param("networks.py", ("PLUGIN_V2", "plus"), marks=pytest.mark.nightly),
        ("networks_v3.py", ("PLUGIN_V3", "minus")),
    ],
)
def test_the_command_line_shows_a_network_script(script, words):
    program = pathlib.Path(sys.executable).with_name("polygraphy")
    shown = run(str(program), "inspect", "model", str(HERE / script), "--model-type", "trt-network-script",
                "--show", "layers")  # fmt: skip
    assert all(word in shown for word in words), shown


def test_a_model_is_read(tmp_path):
    onnx = pytest.importorskip("onnx")
    two_plugins = importlib.import_module("plugin_examples.models.two_plugins")
    onnx.save(two_plugins.model(), path := tmp_path / "model.onnx")
    run(str(HERE / "scenarios.py"), "a_model_is_read", str(path), "plugin_examples.models.plugins")


def test_the_command_line_says_what_of_a_model_is_not_supported(tmp_path):
    onnx = pytest.importorskip("onnx")
    model = importlib.import_module("plugin_examples.models.two_plugins").model()
    model.graph.node[2].op_type = "Nowhere"
    onnx.save(model, path := tmp_path / "model.onnx")
    program = command_line(tmp_path, "plugin_examples.models.plugins")
    shown = run(str(program), "inspect", "capability", str(path), "-o", str(tmp_path / "parts"))
    assert "Plugin not found, are the plugin name, version, and namespace correct?" in shown
