"""Command lines are understood, and what makes no sense is one error that says what to do, exit status 4."""

import datetime as dt

import pytest

from harness.config.options import AddressChoice, DeviceChoice, FailOn, Options
from harness.contract.api_level import ApiLevel
from harness.contract.sanitizer_tool import Tool
from harness.contract.thoroughness import Thoroughness
from harness.frontends.cli import certificate_arguments


def options(*words):
    parser = certificate_arguments.certify_parser()
    return certificate_arguments.options_of(parser, parser.parse([*words, "-o", "cert.json"]))


def test_what_is_left_out_is_as_in_a_run_of_pytest():
    assert options("my_plugins") == Options(modules=("my_plugins",))


def test_everything_that_can_be_asked_for_is_taken_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.onnx").touch()
    (tmp_path / "expected.json").touch()
    words = (
        "a b a --app c:main --cases d --cases e --setup f:g --onnx m.onnx --onnx-dims n=1:2:3,k=2 --level 10 --spec 11"
    )
    more = "--expected-failures expected.json --fail-on warning --device host --addresses host --timeout 7.5 --seed 0"
    last = "--fuzz-examples 9 --fuzz-time 3 --sanitizer racecheck,memcheck"
    assert options(*words.split(), *more.split(), *last.split()) == Options(
        modules=("a", "b"),
        apps=("c:main",),
        cases=("d", "e"),
        setup="f:g",
        onnx=(str(tmp_path / "m.onnx"),),
        onnx_dims=("n=1:2:3", "k=2"),
        expected_failures=str(tmp_path / "expected.json"),
        level=Thoroughness.EXHAUSTIVE,
        spec=ApiLevel.V11,
        fail_on=FailOn.WARNING,
        device=DeviceChoice.HOST,
        addresses=AddressChoice.HOST,
        timeout=7.5,
        seed=0,
        fuzz_examples=9,
        fuzz_time=3.0,
        sanitizer=(Tool.MEMCHECK, Tool.RACECHECK),
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "name the plugins to certify"),
        (["m", "--select=FMT"], "--select=FMT: a certificate is about every rule: leave it out"),
        (["m", "--plugin-ignore", "FMT"], "--plugin-ignore: a certificate is about every rule"),
        (["m", "--isolation=none"], "in its own process"),
        (["m", "--lvel=5"], "--lvel=5: unknown option (did you mean '--level'?)"),
        (["m", "--plugin-device=cuda"], "--plugin-device=cuda: unknown option (did you mean '--device'?)"),
        (["m", "-k", "FMT"], "-k: unknown option"),
        (["m", "--level=1"], "level 1 leaves rules out"),
        (["m", "--level=7"], "'7': unknown value; choose from 1, 5, 10"),
        (["m", "--spec=10.16"], "choose from 8.6, 10, 11 (did you mean '10'?)"),
        (["m", "--device=cud"], "(did you mean 'cuda'?)"),
        (["m", "--timeout=0"], "'0': give a number of seconds above 0"),
        (["m", "--timeout=nan"], "'nan': give a number of seconds above 0"),
        (["m", "--timeout=soon"], "'soon': give a number of seconds above 0"),
        (["m", "--seed=-1"], "give a whole number from 0 up"),
        (["m", "--fuzz-examples=0"], "'0': give a whole number from 1 up"),
        (["m", "-n", "many"], "'many': give a whole number from 1 up"),
        (["m", "--onnx=none.onnx"], "there is no file"),
        (["m", "--onnx-dims=n"], "n"),
        (["m", "--sanitizer=memchek"], "(did you mean 'memcheck'?)"),
    ],
)
def test_what_makes_no_sense_is_one_error(capsys, words, told):
    with pytest.raises(SystemExit) as end:
        options(*words)
    assert end.value.code == 4
    first, hint = capsys.readouterr().err.splitlines()
    assert told in first
    assert hint == "trt-conformance certify --help lists the options"


@pytest.mark.parametrize(
    ("age", "seconds"), [("90d", 90 * 86400), ("12h", 43200), ("2w", 1209600), ("5m", 300), ("1s", 1), ("0d", 0)]
)
def test_ages(age, seconds):
    given = certificate_arguments.verify_parser().parse(["cert.json", f"--max-age={age}"])
    assert given.max_age == dt.timedelta(seconds=seconds)


@pytest.mark.parametrize("age", ["90", "d", "1.5d", "-1d", "90 d", "1y", ""])
def test_what_is_no_age(capsys, age):
    with pytest.raises(SystemExit) as end:
        certificate_arguments.verify_parser().parse(["cert.json", f"--max-age={age}"])
    assert end.value.code == 4
    assert "write a number and s, m, h, d or w, for example 90d" in capsys.readouterr().err


@pytest.mark.parametrize(
    "parser",
    [certificate_arguments.certify_parser, certificate_arguments.verify_parser, certificate_arguments.badge_parser],
)
def test_help_is_there(capsys, parser):
    with pytest.raises(SystemExit) as end:
        parser().parse(["--help"])
    assert end.value.code == 0
    assert "Exit status" in capsys.readouterr().out
