"""What a pytest run pays that certifies nothing, and that the harness which is loaded is ours."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import pytest_trt_conformance

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.real_processes

HOME = Path(__file__).parents[1]
OURS = ("-p", "pytest_trt_conformance")
IMPORTED = """
import sys, pytest
before = set(sys.modules)
import pytest_trt_conformance
print(set(sys.modules) - before)
"""


@pytest.fixture(autouse=True)
def path(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\n")


def test_the_entry_point_imports_pytest_alone():
    command = [sys.executable, "-c", IMPORTED]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=True)  # noqa: S603 - our own script
    assert done.stdout == "{'pytest_trt_conformance'}\n"


def test_a_run_without_the_option_imports_nothing_of_ours(pytester):
    pytester.makepyfile(
        test_own="""
        import sys
        def test_own():
            ours = ("harness", "conformance", "reference_runtime", "numpy", "hypothesis", "msgspec")
            assert [name for name in sys.modules if name.split(".")[0] in ours] == []
            assert "pytest_trt_conformance" in sys.modules
        """
    )
    pytester.runpytest_subprocess(*OURS, "test_own.py").assert_outcomes(passed=1)


@pytest.fixture
def plugin_of_a_namesake(pytester):
    """A plugin that imports packages of its author with the names of ours, beside it."""
    pytester.makepyfile(
        **{
            "harness/__init__": "FACTORS = [2]",
            "harness/numbers": "from harness import FACTORS",
            "conformance": "from harness.numbers import FACTORS",
        }
    )
    example = (HOME / "plugin_examples/leaky_relu.py").read_text("utf-8")
    pytester.makepyfile(my_plugin_cases=(HOME / "plugin_examples/leaky_relu_cases.py").read_text("utf-8"))
    own = "import conformance, harness.numbers\nassert conformance.FACTORS is harness.FACTORS\n"
    pytester.makepyfile(my_plugin=own + example.replace("from __future__ import annotations\n", ""))


@pytest.mark.usefixtures("plugin_of_a_namesake")
@pytest.mark.parametrize("search", [f"{{}}:{HOME}", f"{HOME}:{{}}"])
def test_packages_of_our_names_are_the_users_in_the_users_code(pytester, monkeypatch, search):
    monkeypatch.setenv("PYTHONPATH", search.format(pytester.path))
    result = pytester.runpytest_subprocess(*OURS, "--plugin-module=my_plugin", "--plugin-select=SER-001,ENQ-021")
    result.stdout.fnmatch_lines(["PARTIAL *"])
    assert result.ret == 0


@pytest.mark.usefixtures("plugin_of_a_namesake")
def test_tests_beside_a_certification_import_their_own_packages(pytester, monkeypatch):
    pytester.makepyfile(test_own="def test_own():\n    import harness\n    assert harness.FACTORS == [2]\n")
    monkeypatch.setenv("PYTHONPATH", f"{pytester.path}:{HOME}")
    arguments = ["--plugin-module=my_plugin", "--plugin-select=FMT-001", "test_own.py"]
    result = pytester.runpytest_subprocess(*OURS, "--plugin-isolation=none", *arguments)
    result.stdout.fnmatch_lines(["PARTIAL *"])
    assert result.ret == 0


def test_ids_without_a_module_are_a_usage_error(pytester):
    result = pytester.runpytest_subprocess(*OURS, "conformance::/Bar/1")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: conformance::/Bar/1: say which plugins to certify, with --plugin-module=*"])


def test_the_options_are_in_the_help(pytester):
    help_lines = pytester.runpytest_subprocess(*OURS, "--help").stdout
    help_lines.fnmatch_lines(
        ["TensorRT plugin conformance:", "*--plugin-module=MODULE*", "*plugin_module (linelist):*"]
    )


NAMES_NOTHING = [
    "[project]\ndependencies = ['pytest-trt-conformance>=0.1']\n[project.scripts]\ntrt-conformance = 'x:y'\n",
    "[project.entry-points.'trt_conformance.rules']\nmine = 'my.rules'\n",
]
TABLES = [
    "[tool.trt-conformance]\n{}",
    "[ tool . 'trt-conformance' ]\n{}",
    "tool.trt-conformance.{}",
    "[tool]\ntrt-conformance.{}",
    "[tool]\ntrt-conformance = {{ {} }}",
    "tool = {{trt-conformance = {{ {} }}}}",
]


@pytest.mark.parametrize("content", NAMES_NOTHING)
def test_a_project_that_only_depends_on_us_is_not_parsed(pytester, content):
    pytester.makepyprojecttoml(content)
    pytester.makepyfile(
        test_own="import sys\ndef test_own():\n    assert [name for name in sys.modules if name == 'harness'] == []\n"
    )
    pytester.runpytest_subprocess(*OURS, "test_own.py").assert_outcomes(passed=1)


@pytest.mark.parametrize("form", TABLES)
def test_every_form_of_the_table_is_seen(tmp_path, form):
    (tmp_path / "pyproject.toml").write_text(form.format("module = 'my_plugin'\n"[: None if "\n{}" in form else -1]))
    config = SimpleNamespace(
        invocation_params=SimpleNamespace(dir=tmp_path), pluginmanager=SimpleNamespace(hasplugin=lambda _: False)
    )
    assert pytest_trt_conformance._names_subjects(config)
    (tmp_path / "pyproject.toml").write_text(form.format("level = 1"))
    assert not pytest_trt_conformance._names_subjects(config)


@pytest.mark.parametrize(
    "content", ["[tool.trt-conformance]\nmodul = 'x'", "[tool.pytest-trt-conformance]\nmodule = 'x'"]
)
def test_a_table_that_names_nothing_by_mistake_fails_every_run(pytester, content):
    pytester.makepyprojecttoml(content)
    pytester.makepyfile("def test_own(): pass")
    result = pytester.runpytest_subprocess(*OURS)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: *pyproject.toml: *did you mean*"])
