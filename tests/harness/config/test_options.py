"""Options come from the command line, the environment or the ini file, and a wrong value is told in one line."""

import os
from types import SimpleNamespace

import pytest

from harness.config.declarations import OPTIONS
from harness.config.errors import UsageError
from harness.config.options import FailOn
from harness.config.report_targets import STDOUT, ReportFormat
from harness.contract.sanitizer_tool import Tool
from harness.frontends.pytest_plugin import options


@pytest.fixture
def read(tmp_path, monkeypatch):
    def read_options(command=None, environment=None, ini=None, config=None, **pytests_own):
        for name, value in (environment or {}).items():
            monkeypatch.setenv(name, value)
        given = {"plugin_module": ["my_plugin"], **(command or {}), **pytests_own}
        lists = {option.ini for option in OPTIONS if option.repeatable}
        around = SimpleNamespace(
            getoption=lambda name, default=None: given.get(name, default),
            getini=lambda name: (ini or {}).get(name, [] if name in lists else ""),
            invocation_params=SimpleNamespace(dir=tmp_path),
            **{"pluginmanager": SimpleNamespace(hasplugin=lambda _: False), **(config or {})},
        )
        return options.read(around)

    return read_options


def test_defaults_are_those_of_the_documentation(read):
    given = read()
    assert (given.fail_on, given.timeout, given.seeds) == (FailOn.ERROR, 20.0, (0, 1, 2))
    assert (given.device.value, given.addresses.value, given.isolation.value) == ("auto", "opaque", "process")


def test_the_command_line_wins_over_the_environment_and_that_over_the_ini_file(read):
    ini = {"plugin_seed": "1", "plugin_timeout": "1", "plugin_select": ["FMT", "ENQ-001, ENQ-002"]}
    environment = {"TRT_CONFORMANCE_SEED": "2", "TRT_CONFORMANCE_TIMEOUT": "2"}
    given = read({"plugin_seed": "3"}, environment, ini)
    assert (given.seed, given.timeout, given.select) == (3, 2.0, ("FMT", "ENQ-001", "ENQ-002"))


def test_a_level_has_its_seeds_and_a_seed_overrides_them(read):
    assert read({"plugin_level": "1"}).seeds == (0,)
    assert read(environment={"TRT_CONFORMANCE_LEVEL": "10"}).seeds == tuple(range(10))
    assert read({"plugin_seed": "7"}, ini={"plugin_level": "10"}).seeds == (7,)


def test_how_far_fuzz_rules_look(read):
    assert (read().fuzz_examples, read().fuzz_time) == (None, None)
    given = read({"plugin_fuzz_examples": "7"}, environment={"TRT_CONFORMANCE_FUZZ_TIME": "1.5"})
    assert (given.fuzz_examples, given.fuzz_time) == (7, 1.5)
    assert given.to_plain()["fuzz_examples"] == 7


def test_tools_are_named_once_each(read):
    given = read({"plugin_sanitizer": ["initcheck,memcheck", "memcheck"]})
    assert given.sanitizer == (Tool.MEMCHECK, Tool.INITCHECK)
    assert given.to_plain()["sanitizer"] == ["memcheck", "initcheck"]
    assert read().sanitizer == ()
    with pytest.raises(UsageError, match=r"^--plugin-sanitizer=memchek: unknown value; .*did you mean 'memcheck'"):
        read({"plugin_sanitizer": ["memchek"]})


def test_how_fuzzing_is_shared(read):
    assert read({"plugin_fuzz_database": "shared/examples"}).fuzz_database.endswith("/shared/examples")
    assert read().fuzz_database == ""


def test_models_are_files_and_their_dimensions_ranges(read, tmp_path):
    (tmp_path / "m.onnx").touch()
    given = read({"plugin_onnx": ["m.onnx"], "plugin_onnx_dims": ["n=1:4, m=2"]})
    assert (given.onnx, given.onnx_dims) == ((str(tmp_path / "m.onnx"),), ("n=1:4", "m=2"))
    assert given.to_plain()["onnx_dims"] == ["n=1:4", "m=2"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ({"plugin_onnx": ["none.onnx"]}, "--plugin-onnx=none.onnx: there is no file"),
        ({"plugin_onnx": ["m.onnx"], "plugin_onnx_dims": ["n"]}, "write it as NAME=MIN:OPT:MAX"),
        (
            {"plugin_onnx_dims": ["n=2"]},
            "--plugin-onnx-dims=n=2 is about a model, and none is named: add --plugin-onnx",
        ),
        ({"plugin_onnx": ["m.onnx"], "plugin_module": ["a", "b"]}, "name one --plugin-module instead of 2"),
        (
            {"plugin_onnx": ["m.onnx"], "plugin_module": None, "plugin_app": ["a:main"]},
            "certifies plugins as a model uses them, and none are named: add --plugin-module",
        ),
    ],
)
def test_a_model_that_cannot_be_read_so_is_told(read, tmp_path, command, told):
    (tmp_path / "m.onnx").touch()
    with pytest.raises(UsageError) as error:
        read(command)
    assert told in str(error.value)


def test_the_environment_separates_values_by_commas(read):
    assert read({"plugin_module": None}, {"TRT_CONFORMANCE_MODULE": "a, b.c"}).modules == ("a", "b.c")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("level = 7", "level=7: unknown value; choose from 1, 5, 10"),
        ("timeout = 0", "timeout=0: give a number of seconds above 0"),
        ("expected-failures = 'none.json'", "expected-failures={}/none.json: there is no file"),
        ("report = 'json'", "report=json: write it as FORMAT:PATH"),
        ("plugin.Bar.timeout = -3", "plugin.Bar.timeout=-3: give a number of seconds above 0"),
        ("plugin.Bar.fail-on = 'never'", "plugin.Bar.fail-on=never: unknown value; choose from error, warning"),
    ],
)
def test_a_wrong_value_of_the_table_is_told_with_file_and_key(read, tmp_path, table, told):
    (tmp_path / "pyproject.toml").write_text(f"[tool.trt-conformance]\n{table}")
    with pytest.raises(UsageError) as error:
        read()
    told = told.format(tmp_path)
    assert str(error.value).startswith(f"{tmp_path}/pyproject.toml: tool.trt-conformance.{told}")


def test_the_table_comes_after_the_ini_file_and_holds_for_what_nobody_else_gives(read, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.trt-conformance]\nmodule = 'a'\nseed = 1\ntimeout = 1\n[tool.trt-conformance.plugin.Bar]\ntimeout = 9\n"
    )
    given = read({"plugin_module": None}, ini={"plugin_seed": "2"})
    assert (given.modules, given.seed, given.timeout, given.beside_tests) == (("a",), 2, 1.0, True)
    assert (given.of_plugin("/Bar/1").timeout, given.of_plugin("/Foo/1").timeout) == (9.0, 1.0)
    assert given.to_plain()["overrides"] == {"Bar": {"timeout": 9.0}}
    assert given.all_overrides
    above = read({"plugin_module": ["b"]}, {"TRT_CONFORMANCE_TIMEOUT": "3"})
    assert above.of_plugin("/Bar/1").timeout == 3.0
    assert not above.all_overrides
    assert not above.beside_tests


def test_a_module_of_the_ini_file_runs_beside_the_projects_tests(read):
    assert read({"plugin_module": None}, ini={"plugin_module": ["a"]}).beside_tests
    assert not read().beside_tests


def test_levels_of_failing_include_those_before():
    assert FailOn.NOT_RUN.includes(FailOn.WARNING)
    assert not FailOn.ERROR.includes(FailOn.WARNING)


def test_a_report_is_written_where_the_user_is(read, tmp_path):
    (target,) = read({"plugin_report": ["json:out/report.json"]}).reports
    assert (target.format, target.path) == (ReportFormat.JSON, tmp_path / "out" / "report.json")


def test_annotations_may_go_to_standard_output(read):
    (target,) = read({"plugin_report": ["github:-"]}).reports
    assert (target.format, target.path) == (ReportFormat.GITHUB, STDOUT)


def test_reports_that_can_never_be_written_are_told(read, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for path, told in (("file/a/b.json", "file is no folder"), ("link/a.json", "link is no folder")):
        with pytest.raises(UsageError, match=told):
            read({"plugin_report": [f"json:{path}"]})
    assert read({"plugin_report": ["json:/dev/null"]}).reports


def test_a_folder_that_is_not_ours_is_told(read, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)  # root may write anywhere
    with pytest.raises(UsageError, match=f"no file can be made in the folder {tmp_path}$"):
        read({"plugin_report": ["json:not_yet/report.json"]})


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        (
            "fail_on",
            "warn",
            r"--plugin-fail-on=warn: unknown value; choose from error, .* \(did you mean 'warning'\?\)",
        ),
        ("level", "6", "--plugin-level=6: unknown value; choose from 1, 5, 10"),
        ("expected_failures", "known.json", "--plugin-expected-failures=known.json: there is no file "),
        ("device", "gpu", "--plugin-device=gpu: unknown value; choose from auto, host, cuda"),
        ("addresses", "real", "--plugin-addresses=real: unknown value; choose from opaque, host"),
        ("isolation", "fork", "--plugin-isolation=fork: unknown value; choose from process, none"),
        ("timeout", "0", "--plugin-timeout=0: give a number of seconds above 0"),
        ("timeout", "soon", "--plugin-timeout=soon: give a number"),
        ("timeout", "inf", "--plugin-timeout=inf: give a number"),
        ("seed", "-1", "--plugin-seed=-1: give a whole number from 0 up"),
        ("fuzz_examples", "0", "--plugin-fuzz-examples=0: give a whole number from 1 up"),
        ("fuzz_examples", "many", "--plugin-fuzz-examples=many: give a whole number from 1 up"),
        ("fuzz_time", "0", "--plugin-fuzz-time=0: give a number of seconds above 0"),
        ("fuzz_time", "long", "--plugin-fuzz-time=long: give a number of seconds above 0"),
        ("setup", "my_plugins", "--plugin-setup=my_plugins: write it as MODULE:FUNCTION"),
        ("report", ["out.json"], "--plugin-report=out.json: write it as FORMAT:PATH, for example json:report.json"),
        ("report", ["jsn:a"], r"--plugin-report=jsn:a: unknown format; .* \(did you mean 'json'\?\)"),
        ("report", ["json:."], "is a folder; name a file in it"),
        ("report", [f"json:{__file__}"], "is there and is no report: it would be lost; name another file"),
        ("report", ["json:-"], "pytest writes to standard output too; name a file, or convert a JSON report"),
        ("report", ["junit:out.xml"], "pytest writes JUnit XML itself: use --junitxml=out.xml"),
        ("report", ["junitxml"], "pytest writes JUnit XML itself: use --junitxml=PATH"),
        ("report", ["json:a", "sarif:./b/../a"], "--plugin-report=sarif:./b/../a: two reports, json and sarif, would"),
        ("report", ["github:-", "github:-"], "two reports, github and github, would be written to -"),
    ],
)
def test_a_wrong_value_is_told_with_what_to_do(read, option, value, told):
    with pytest.raises(UsageError, match=told):
        read({f"plugin_{option}": value})


def test_a_wrong_value_is_told_as_it_was_given(read):
    with pytest.raises(UsageError, match=r"^plugin_seed=x: "):
        read(ini={"plugin_seed": "x"})
    with pytest.raises(UsageError, match=r"^TRT_CONFORMANCE_SEED=x: "):
        read(environment={"TRT_CONFORMANCE_SEED": "x"})


def test_an_unknown_variable_is_told(read):
    with pytest.raises(UsageError, match=r"TRT_CONFORMANCE_SELCT: unknown option .*'TRT_CONFORMANCE_SELECT'"):
        read(environment={"TRT_CONFORMANCE_SELCT": "FMT"})


def test_without_isolation_there_is_one_module(read):
    with pytest.raises(UsageError, match="name one --plugin-module or --plugin-app instead of 2"):
        read({"plugin_module": ["a", "b"], "plugin_isolation": "none"})


def test_latencies_are_measured_on_request(read):
    loaded = {"pluginmanager": SimpleNamespace(hasplugin=lambda name: name == "benchmark")}
    assert not read().benchmark
    assert read({"plugin_benchmark": "yes"}, config=loaded).benchmark
    assert not read(ini={"plugin_benchmark": "off"}).benchmark


@pytest.mark.parametrize(("word", "share"), [("3%", 0.03), ("0.5", 0.005)])
def test_how_much_slower_is_too_slow(read, word, share):
    given = read({"plugin_benchmark_fail": word, "plugin_benchmark_against": "old"})
    assert given.benchmark_fail == pytest.approx(share)


def test_a_margin_may_wait_in_the_ini_file_for_a_run_that_compares(read):
    assert read(ini={"plugin_benchmark_fail": "3%"}).benchmark_fail == pytest.approx(0.03)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            {"plugin_module": None, "plugin_app": ["m:f"], "plugin_benchmark": "true"},
            "--plugin-benchmark measures the enqueue of plugins, and",
        ),
        ({"plugin_benchmark_fail": "much"}, "--plugin-benchmark-fail=much: give a percentage above 0"),
        ({"plugin_benchmark_fail": "0"}, "--plugin-benchmark-fail=0: give a percentage above 0"),
        ({"plugin_benchmark_fail": "100%"}, "--plugin-benchmark-fail=100%: give a percentage above 0 and below 100"),
        ({"plugin_benchmark_fail": "3%"}, "--plugin-benchmark-fail=3% is a margin for a comparison: add"),
        ({"plugin_benchmark": "perhaps"}, "--plugin-benchmark=perhaps: write yes or no"),
        (
            {"plugin_benchmark_against": "old", "plugin_isolation": "none"},
            "--plugin-benchmark-against runs two versions at the same time",
        ),
    ],
)
def test_a_wrong_word_about_latencies_is_told(read, given, line):
    with pytest.raises(UsageError, match=line):
        read(given)
