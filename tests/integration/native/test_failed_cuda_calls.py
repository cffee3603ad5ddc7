"""NAT-008 lets CUDA calls fail: a plugin must report it, end the process, or do without."""

import pathlib

import pytest

from harness.contract.verdict import Verdict
from tests.support import native_build
from tests.support.verdicts import results_of

LAUNCHER = pathlib.Path(__file__).parents[2] / "data" / "native" / "launcher.cpp"


def judged(flags):
    results = results_of(str(native_build.library(LAUNCHER, *flags.split())), rules=["NAT-008"])
    return {name: only for (_, name), (only,) in results.items()}


@pytest.mark.parametrize("flags", ["-DRETURNS", "-DASKS_AFTERWARDS", "-DABORTS", "-DABORTS -DFILLS"])
def test_a_plugin_that_notices_a_failed_launch_passes_with_and_without_a_stand_in(flags):
    assert {name: each.verdict for name, each in judged(flags).items()} == {
        "with": Verdict.PASS,
        "without": Verdict.PASS,
    }


def test_a_plugin_that_ignores_a_failed_launch_fails_with_and_without_a_stand_in():
    found = judged("-DIGNORES")
    for each in found.values():
        assert each.verdict is Verdict.FAIL
        assert each.violations[0].observed == "all callbacks return success, and no output is written"
    assert found["without"].violations[0].where == "call 1 of cudaLaunchKernel in enqueue failed"


def test_a_plugin_that_crashes_after_a_failed_launch_fails():
    assert judged("-DCRASHES")["with"].violations[0].observed == "the process died by SIGSEGV"


def test_a_plugin_whose_enqueue_always_fails_is_not_judged():
    assert judged("-DFAILS")["with"].verdict is Verdict.BLOCKED
