"""The inner run is told everything on its command line, and ends with its parent."""

import os
import shlex

import pytest

from harness.certificate import inner
from harness.config.options import DeviceChoice, FailOn, Options, RuntimeChoice
from harness.contract.api_level import ApiLevel
from harness.contract.sanitizer_tool import Tool
from harness.contract.thoroughness import Thoroughness
from harness.frontends.pytest_plugin import inner_run


def test_defaults_are_said_too_so_that_nothing_else_can_say_otherwise():
    assert list(inner._arguments(Options(modules=("m",)))) == [
        "--plugin-module=m",
        "--plugin-level=5",
        "--plugin-spec=10",
        "--plugin-fail-on=error",
        "--plugin-device=auto",
        "--plugin-addresses=opaque",
        "--plugin-isolation=process",
        "--plugin-timeout=20",
        "--plugin-runtime=reference",
    ]


def test_everything_that_was_asked_for_is_said():
    options = Options(
        modules=("m", "n"),
        apps=("a:f",),
        cases=("c",),
        setup="s:f",
        onnx=("/m.onnx",),
        onnx_dims=("n=1:2:3",),
        expected_failures="/e.json",
        level=Thoroughness.EXHAUSTIVE,
        spec=ApiLevel.V11,
        fail_on=FailOn.NOT_RUN,
        device=DeviceChoice.HOST,
        timeout=2.5,
        seed=0,
        fuzz_examples=7,
        fuzz_time=1.5,
        sanitizer=(Tool.MEMCHECK, Tool.RACECHECK),
        runtime=RuntimeChoice.RTX,
    )
    wanted = """
    --plugin-module=m --plugin-module=n --plugin-app=a:f --plugin-cases=c --plugin-setup=s:f --plugin-onnx=/m.onnx
    --plugin-onnx-dims=n=1:2:3 --plugin-level=10 --plugin-expected-failures=/e.json --plugin-spec=11
    --plugin-fail-on=not-run --plugin-device=host --plugin-addresses=opaque --plugin-isolation=process
    --plugin-timeout=2.5 --plugin-seed=0 --plugin-fuzz-examples=7 --plugin-fuzz-time=1.5
    --plugin-sanitizer=memcheck,racecheck --plugin-runtime=rtx
    """
    assert list(inner._arguments(options)) == shlex.split(wanted)


def test_variables_that_would_steer_it_are_known(monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    monkeypatch.setenv("TRT_CONFORMANCE_LEVEL", "1")
    monkeypatch.setenv("MY_PYTEST_ADDOPTS", "-x")
    assert {"PYTEST_ADDOPTS", "TRT_CONFORMANCE_LEVEL"} <= set(inner.stray_variables())
    assert "MY_PYTEST_ADDOPTS" not in inner.stray_variables()


def test_a_process_whose_parent_is_gone_does_not_begin():
    child = os.fork()
    if child == 0:
        inner_run.main(1 if os.getppid() != 1 else 2, ["--version"])  # another parent than it has
        os._exit(99)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 1


@pytest.mark.usefixtures("stubs")
def test_a_run_of_what_is_not_there_ends_with_usage_and_no_report(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert inner.run(Options(modules=("none_such",))) == inner.Ended(4, None)
    assert "there is no module named 'none_such'" in capfd.readouterr().err
