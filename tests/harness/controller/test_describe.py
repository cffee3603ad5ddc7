"""Modules that are wrong: what a run says of them, and how it ends."""

import threading

import pytest

from harness.config.errors import UsageError
from harness.controller import describe
from harness.controller.children.factory import Children
from harness.protocol.asked import IsolationError, Loaded

pytest_plugins = ["pytester"]


def test_a_module_that_dies_at_import_is_one_failure_and_the_others_go_on(certify, pytester):
    pytester.makepyfile(dies="import ctypes\nctypes.string_at(0)", raises="1 / 0")
    result = certify(modules=("dies", "my_plugin", "raises"))
    result.assert_outcomes(passed=5, failed=2)
    result.stdout.fnmatch_lines(
        [
            "  what      import died by SIGSEGV",
            "FAILS · dies · import died by SIGSEGV",
            "FAILS · raises · import raised ZeroDivisionError: division by zero",
            "CONFORMS level 5 · /Bar/1 · *",
            "FAILED conformance::dies::IMPORT - import died by SIGSEGV",
        ]
    )


def test_a_refused_registration_is_a_failure_of_the_module(certify):
    problem = {
        "kind": "fail",
        "rule": "REGISTRY",
        "text": "register_creator refused BarCreator",
        "expected": "x",
        "fix": "y",
    }
    result = certify(plugin=f"PROBLEMS = [{problem}]\n")
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(["FAILED conformance::my_plugin::REGISTRY - register_creator refused BarCreator"])


@pytest.mark.parametrize(
    ("modules", "plugin", "line"),
    [
        (["my_plugn"], "", "*my_plugn: there is no module named 'my_plugn'; searched in * (did you mean 'my_plugin'?)"),
        (["./my_plugn.py"], "", "ERROR: --plugin-module=./my_plugn.py: there is no file */my_plugn.py*my_plugin.py*"),
        (
            ["my_plugin"],
            "PLUGINS = []\nPROBLEMS = [{'kind': 'usage', 'text': 'it holds no plugin'}]",
            "*holds no plugin",
        ),
        (
            ["my_plugin"],
            "PLUGINS = {'/Bar/1': [case('a', expected_failures={'ENQ-022': {'reason': '', 'fingerprint': ''}})]}",
            "ERROR: case 'a' of /Bar/1: expected_failures names 'ENQ-022'*does not exist (did you mean 'ENQ-002'?)",
        ),
    ],
)
def test_a_module_that_makes_no_sense_is_a_usage_error_of_one_line(certify, modules, plugin, line):
    result = certify(modules=modules, plugin=plugin)
    assert result.ret == 4
    assert [bool(told) for told in result.errlines] == [True, False]
    result.stderr.fnmatch_lines([line])


def test_modules_can_be_named_by_their_path(certify):
    certify(modules=("./my_plugin.py",)).assert_outcomes(passed=5)


def test_an_unknown_rule_is_a_usage_error(section):
    told = r"^there is no rule, family or severity 'FMT-009' \(did you mean 'FMT-00\d'\?\); "
    with pytest.raises(UsageError, match=told):
        section(select="FMT-009,ENQ")


@pytest.mark.parametrize(
    ("given", "file"),
    [
        ("plain", "plain.py"),
        ("package", "package/__init__.py"),
        ("package.part", "package/part.py"),
        ("package/part.py", "package/part.py"),
        ("./package", "package/__init__.py"),
        ("plain:main", "plain.py"),
        ("package.nothing", ""),
        ("./nothing.py", ""),
    ],
)
def test_a_module_has_a_file_even_if_it_cannot_be_imported(tmp_path, monkeypatch, given, file):
    (tmp_path / "package").mkdir()
    for name in ("plain.py", "package/__init__.py", "package/part.py"):
        (tmp_path / name).write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    found = describe._file_of(given, [str(tmp_path / "elsewhere"), str(tmp_path)])
    assert found == (str(tmp_path / file) if file else "")


LONG = 600
MODULES = [f"m{number}" for number in range(6)]


class Child:
    def __init__(self, module, log, meeting=None):
        self.module, self.log, self.meeting = module, log, meeting

    def load(self):
        if self.meeting:
            self.meeting.wait(LONG)  # only several at a time get past it
        if self.module == "gone":
            raise IsolationError("no child")
        return Loaded(ok=self.module != "m1", name=self.module)

    def discover(self):
        return {"plugins": [self.module]}

    def close(self):
        self.log.append(self.module)


def looked(modules, at_once, log, meeting=None):
    children = Children(lambda module, _: Child(module, log, meeting), most=9)
    return [(given, loaded.ok, found) for given, (loaded, found) in describe._look(modules, children, "10", at_once)]


def test_several_at_a_time_find_the_same_in_the_same_order():
    assert looked(MODULES, 3, []) == looked(MODULES, 1, [])


def test_they_do_look_at_the_same_time():
    assert len(looked(MODULES, 3, [], threading.Barrier(3))) == len(MODULES)


def test_what_several_looked_into_is_closed_and_what_one_did_is_kept():
    several, one = [], []
    looked(MODULES, 3, several)
    looked(MODULES, 1, one)
    assert (sorted(several)[:5], one) == (MODULES[:5], [])


def test_an_error_reaches_whoever_asked():
    with pytest.raises(IsolationError, match="no child"):
        looked([*MODULES, "gone"], 2, [])
