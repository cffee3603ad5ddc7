"""What a ``pyproject.toml`` makes of a run, from pytest's side."""

import json

import pytest

pytest_plugins = ["pytester"]

TWO = "PLUGINS = ['/Bar/1', '/Foo/1']\n"
SLOW = "def fmt_001():\n    import time\n    time.sleep(600)\n"


@pytest.fixture
def configured(certify, pytester):
    """Certify with a table, and return the result with the report's document."""

    def run(table, *arguments, modules=("my_plugin",), **more):
        (pytester.path / "pyproject.toml").write_text(f"[tool.trt-conformance]\n{table}")
        result = certify("--plugin-report=json:report.json", *arguments, modules=modules, **more)
        report = pytester.path / "report.json"
        return result, json.loads(report.read_text()) if report.exists() else None

    return run


def test_the_file_comes_after_command_line_environment_and_ini_file(configured, pytester, monkeypatch):
    pytester.makeini("[pytest]\nplugin_fuzz_time = 2\nplugin_seed = 2\nplugin_timeout = 2\n")
    monkeypatch.setenv("TRT_CONFORMANCE_SEED", "3")
    monkeypatch.setenv("TRT_CONFORMANCE_TIMEOUT", "3")
    result, document = configured("fuzz-examples = 1\nfuzz-time = 1\nseed = 1\ntimeout = 1", "--plugin-timeout=4")
    assert result.ret == 0
    told = document["options"]
    assert (told["fuzz_examples"], told["fuzz_time"], told["seed"], told["timeout"]) == (1, 2.0, 3, 4.0)
    result.stdout.fnmatch_lines(["trt-conformance: my_plugin; * seed 3, options of pyproject.toml"])


@pytest.mark.parametrize("workers", [[], pytest.param(["-p", "xdist", "-n", "2"], marks=pytest.mark.nightly)])
def test_modules_of_the_file_run_beside_the_projects_tests(configured, pytester, workers):
    pytester.makepyfile(test_own="def test_own(): pass")
    result, document = configured("module = 'my_plugin'\nselect = 'FMT'", *workers, modules=())
    result.assert_outcomes(passed=3)
    assert document["plugins"][0]["selected"] == 2


def test_a_folder_below_sees_the_file_and_its_modules(configured, pytester, monkeypatch):
    monkeypatch.chdir(pytester.mkdir("below"))
    pytester.path.joinpath("named.py").write_text("from stub_contract import *\nPLUGINS = ['/Foo/1']")
    result, _ = configured("module = ['my_plugin.py', 'named']\n", "-p", "no:cacheprovider", modules=())
    result.assert_outcomes(passed=10)


def test_options_of_one_plugin_are_of_that_one_alone(configured):
    table = "[tool.trt-conformance.plugin.Bar]\nignore = ['FMT-002']\nfail-on = 'warning'\n"
    plugin = TWO + "def cfg_001(): return 'printed a line'\n"
    result, document = configured(table, plugin=plugin)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["FAILS · /Bar/1 · selected 4 of 5 rules · *", "CONFORMS level 5 · /Foo/1 · 4 rules passed*"]
    )
    assert document["options"]["overrides"] == {"Bar": {"ignore": ["FMT-002"], "fail_on": "warning"}}
    assert {"id": "conformance::/Bar/1::two-inputs::FMT-002", "reason": "not selected"} in document["not_run"]


def test_a_rule_that_is_ignored_for_a_plugin_makes_it_partial(configured):
    result, _ = configured("[tool.trt-conformance.plugin.'/Bar/1']\nignore = 'FMT-002'")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["PARTIAL · /Bar/1 · selected 4 of 5 rules · *"])


def test_a_plugin_has_a_deadline_of_its_own(configured):
    table = "[tool.trt-conformance.plugin.Bar]\ntimeout = 5\nselect = 'FMT-001'\n"
    result, _ = configured(table, plugin=SLOW)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*did not return within 5 s*"])


def test_what_the_command_line_says_stands_above_the_options_of_a_plugin(configured):
    table = "[tool.trt-conformance.plugin.Bar]\nignore = 'FMT'\ntimeout = 1\n"
    _, document = configured(table, "--plugin-ignore=CFG")
    assert document["options"]["overrides"] == {"Bar": {"timeout": 1.0}}
    assert [rule["id"] for rule in document["plugins"][0]["rules"]] == ["ENQ-001", "ENQ-002", "FMT-001", "FMT-002"]


def test_a_typed_id_does_not_bring_back_what_is_ignored(configured):
    table = "[tool.trt-conformance.plugin.Bar]\nignore = 'FMT-002'\n"
    result, _ = configured(table, "conformance::/Bar/1::two-inputs::FMT-002")
    assert result.ret == 4


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("timout = 3", "tool.trt-conformance.timout: unknown key (did you mean 'timeout'?)"),
        ("plugin.Baz.timeout = 3", "tool.trt-conformance.plugin.Baz: the plugin does not exist; found: /Bar/1"),
        ("plugin.Bar.ignore = 'FTM'", "there is no rule, family or severity 'FTM' (did you mean 'FMT'?)"),
        ("plugin = {Bar = {timeout = 1}, '/Bar/1' = {timeout = 2}}", "/Bar/1 has a table already, 'Bar': keep one of"),
    ],
)
def test_mistakes_are_one_line_and_exit_4(configured, table, told):
    result, document = configured(table)
    assert (result.ret, document) == (4, None)
    result.stderr.fnmatch_lines([f"ERROR: *{told}*"])
    assert len([line for line in result.errlines if line.strip()]) == 1


def test_a_table_that_leaves_nothing_of_one_plugin_of_two_is_told(configured):
    result, _ = configured("plugin.Bar.select = 'TAC'", plugin=TWO)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: *plugin.Bar leaves out every rule of /Bar/1: select others, or ignore fewer"])


def test_who_selects_on_the_command_line_may_leave_a_plugin_out(configured):
    result, document = configured("plugin.Bar.ignore = 'FMT'", "--plugin-select=FMT-001", plugin=TWO)
    assert result.ret == 0
    assert [plugin["key"] for plugin in document["plugins"]] == ["/Foo/1"]


def test_options_of_plugins_that_are_not_certified_now_are_no_mistake(configured, pytester):
    pytester.makepyfile(other_plugin="from stub_contract import *\nPLUGINS = ['/Other/1']")
    table = "module = 'my_plugin'\n[tool.trt-conformance.plugin.Bar]\ntimeout = 1\n"
    result, _ = configured(table, modules=("other_plugin",))
    assert result.ret == 0


def test_a_file_that_is_no_toml_is_one_error(configured, pytester):
    result, _ = configured("level = = 1")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: {pytester.path}/pyproject.toml: *line 2*"])
