"""Kernels of compiled plugins on the host: a function of the case stands in, and what has none is told by its name."""

import pathlib
import shutil

import pytest

from harness.contract.verdict import Verdict
from tests.support import native_build
from tests.support.verdicts import results_of

pytestmark = pytest.mark.nightly

SOURCE = pathlib.Path(__file__).parents[2] / "data" / "native" / "launcher.cpp"


def test_a_function_stands_in_for_a_kernel():
    results = results_of(str(native_build.library(SOURCE)), rules=["ENQ-010", "ENQ-004"])
    with_one = {each.rule: each.verdict for each in results["/Launcher/1", "with"]}
    assert with_one == {"ENQ-004": Verdict.PASS, "ENQ-010": Verdict.PASS}


def test_without_one_nothing_is_judged_and_the_kernel_is_named():
    results = results_of(str(native_build.library(SOURCE)), rules=["ENQ-010", "ENQ-021", "ID-001"])
    without = {each.rule: each for each in results["/Launcher/1", "without"]}
    assert without["ID-001"].verdict is Verdict.PASS
    for rule in ("ENQ-010", "ENQ-021"):
        assert without[rule].verdict is Verdict.NOT_RUN
        assert "'scaleKernel'" in without[rule].reason


def test_what_ends_its_process_because_cuda_is_not_there_is_not_run(tmp_path):
    source = tmp_path / "bar.cpp"
    text = (native_build.EXAMPLES / "bar.cpp").read_text()
    asserted = "if (cudaGraphLaunch(nullptr, stream) != 0) std::abort();"
    begins = "size_t const first = bytesOf(inputs[0]);"
    text = text.replace(begins, f"{asserted}\n{begins}")
    shutil.copy(native_build.EXAMPLES / "bar_cases.py", tmp_path)
    source.write_text(f'#include <cstdlib>\nextern "C" int cudaGraphLaunch(void*, void*);\n{text}')
    results = results_of(str(native_build.library(source)), rules=["ENQ-010", "CFG-007", "CFG-004", "ID-001"])
    for case in results.values():
        verdicts = {each.rule: (each.verdict, each.reason[:15]) for each in case}
        assert verdicts.pop("ID-001") == (Verdict.PASS, "")
        assert set(verdicts.values()) == {(Verdict.NOT_RUN, "cudaGraphLaunch")}
