"""Plugins whose kernels the host cannot run: what a run says of them, with stand-ins and without."""

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
#: Rules of an execution, and of phases around it.
SOME = "--plugin-select=ENQ-002,ENQ-003,PFD-001,OUT-001,CLN-001"


PYCUDA = """
import cupy as cp
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

def raw_kernel(code, name):
    return SourceModule(code).get_function(name)
"""


@pytest.fixture
def certify(pytester, monkeypatch):
    """Certify a module on the host by some rules and return its last line and its cases in the JSON report."""
    monkeypatch.setenv("PYTHONPATH", str(HOME), prepend=os.pathsep)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\n")

    def run(module, *options):
        command = [sys.executable, "-m", "pytest", "-p", "no:randomly", f"--plugin-module={module}"]
        result = pytester.run(*command, "--plugin-device=host", "--plugin-report=json:report.json", SOME, *options)
        assert result.ret == 0
        (line,) = [line for line in result.outlines if " · " in line and line.startswith(("CONFORMS", "PARTIAL"))]
        return line, json.loads((pytester.path / "report.json").read_text())["plugins"]

    return run


@pytest.mark.parametrize(("name", "kernel"), [("raw_kernel", "softplus"), ("cuda_python", "snake")])
def test_a_stand_in_runs_in_place_of_a_kernel_and_the_report_says_so(certify, name, kernel):
    line, cases = certify(f"plugin_examples.frameworks.{name}")
    assert line.endswith(f" · stand-ins ran for {kernel}")
    assert [(case["kernels_executed"], case["stand_ins"]) for case in cases] == [(False, [kernel])] * len(cases)
    assert {rule["verdict"] for case in cases for rule in case["rules"]} <= {"PASS", "N/A"}


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "kernel"), [("raw_kernel", "softplus"), ("cuda_python", "snake")])
def test_without_a_stand_in_what_rests_on_the_kernel_is_not_run_and_says_what_to_write(certify, pytester, name, kernel):
    source = (HOME / "plugin_examples" / "frameworks" / f"{name}_cases.py").read_text()
    pytester.path.joinpath("bare.py").write_text((HOME / "plugin_examples" / "frameworks" / f"{name}.py").read_text())
    pytester.path.joinpath("bare_cases.py").write_text(source.replace('"stand_ins": {', '"stand_ins": {} and {'))
    _, cases = certify("bare.py")
    found = {rule["id"]: rule for case in cases for rule in case["rules"]}
    assert {id_ for id_, rule in found.items() if rule["verdict"] == "NOT-RUN"} == {"ENQ-002", "ENQ-003"}
    assert f'"stand_ins": {{"{kernel}": function}} in the case' in found["ENQ-002"]["reason"]
    assert {case["kernels_executed"] for case in cases} == {False}
    assert {found[rule]["verdict"] for rule in ("PFD-001", "OUT-001", "CLN-001")} == {"PASS"}


@pytest.mark.nightly
def test_of_pycuda_the_execution_alone_is_not_run(certify, pytester):
    source = (
        (HOME / "plugin_examples" / "frameworks" / "raw_kernel.py").read_text().replace("import cupy as cp", PYCUDA)
    )
    pytester.path.joinpath("bare.py").write_text(source.replace("cp.RawKernel(", "raw_kernel("))
    pytester.path.joinpath("bare_cases.py").write_text(
        (HOME / "plugin_examples" / "frameworks" / "raw_kernel_cases.py").read_text()
    )
    _, cases = certify("bare.py")
    found = {rule["id"]: rule for case in cases for rule in case["rules"]}
    assert {id_ for id_, rule in found.items() if rule["verdict"] == "NOT-RUN"} == {"ENQ-002", "ENQ-003"}
    assert found["ENQ-002"]["reason"].startswith("the kernel 'softplus' of PyCUDA needs a GPU")


@pytest.mark.parametrize(
    ("package", "example"), [("numba", "numba_kernel"), ("torch", "torch_operations"), ("triton", "triton_kernel")]
)
def test_what_runs_without_a_gpu_is_executed_where_it_is_installed(certify, package, example):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    line, cases = certify(f"plugin_examples.frameworks.{example}")
    assert {rule["verdict"] for case in cases for rule in case["rules"]} <= {"PASS", "N/A"}
    assert "stand-ins" not in line


def test_a_library_that_is_not_installed_is_a_failed_import(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    pytester.makeini("[pytest]\n")
    pytester.path.joinpath("needy.py").write_text("import a_library_that_nobody_has\n")
    result = pytester.run(sys.executable, "-m", "pytest", "--plugin-module=needy.py", "--plugin-device=host")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILS * ModuleNotFoundError: No module named 'a_library_that_nobody_has'*"])
