"""Polygraphy, as it is on PyPI, works on the reference runtime: networks, configurations, engines and its inspections.

What it cannot do without CUDA is run an engine: ``TrtRunner`` allocates and copies through libcudart itself.
"""

import ast
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
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
        [sys.executable, "-m", "harness.namespace", *command],
        cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SCENARIOS)
def test_polygraphy_can(name):
    run(str(HERE / "scenarios.py"), name)


def test_the_command_line_shows_an_engine(tmp_path):
    plan = tmp_path / "engine.plan"
    run(str(HERE / "scenarios.py"), "engine_is_written", str(plan))
    register = tmp_path / "inspect_engine.py"
    register.write_text(
        "import sys\n"
        "from plugin_examples import leaky_relu\n"
        "from polygraphy.tools._main import main\n"
        "sys.exit(main())\n"
    )
    shown = run(str(register), "inspect", "model", str(plan), "--model-type", "engine", "--show", "layers", "attrs")
    assert "Profile: 1" in shown
    assert "relu" in shown


@pytest.mark.parametrize(
    ("script", "words"), [("networks.py", ("PLUGIN_V2", "plus")), ("networks_v3.py", ("PLUGIN_V3", "minus"))]
)
def test_the_command_line_shows_a_network_script(script, words):
    program = pathlib.Path(sys.executable).with_name("polygraphy")
    shown = run(str(program), "inspect", "model", str(HERE / script), "--model-type", "trt-network-script",
                "--show", "layers")  # fmt: skip
    assert all(word in shown for word in words), shown
