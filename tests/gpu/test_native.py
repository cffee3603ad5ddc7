"""A plugin in C++ whose kernel nvcc compiles for the GPU of this machine."""

import shutil
import subprocess

import pytest

from harness.contract.verdict import Verdict
from tests.support import native_build
from tests.support.verdicts import results_of

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The example that multiplies in a kernel, with its cases beside it."""
    folder = tmp_path_factory.mktemp("native")
    include = folder / "include"
    shutil.copytree(native_build.headers(), include)
    (include / "cuda_runtime_api.h").unlink()  # nvcc has its own
    file = folder / "libleaky_relu.so"
    flags = ["-shared", "-x", "cu", "-std=c++17", "-g", "-Xcompiler", "-fPIC", "-cudart", "shared", "-arch=native"]
    source = native_build.EXAMPLES / "leaky_relu.cpp"
    subprocess.run(["nvcc", *flags, f"-I{include}", str(source), "-o", str(file)], check=True)  # noqa: S603, S607
    shutil.copy(native_build.EXAMPLES / "leaky_relu_cases.py", folder / "libleaky_relu_cases.py")
    return file


def test_its_kernel_computes_what_the_reference_does(library):
    rules = ["CLN-002", "ENQ-003", "ENQ-004", "ENQ-010", "ENQ-013", "ENQ-014", "WSP-010"]
    for case in results_of(str(library), rules=rules, device="cuda").values():
        assert {each.rule: (each.verdict, each.reason) for each in case} == dict.fromkeys(rules, (Verdict.PASS, ""))
