"""Options as keyword arguments: the same values, checked as on the command line."""

import json
import types
from pathlib import Path

import pytest

from harness import Case, UsageError
from harness.config.declarations import OPTIONS
from harness.config.options import FailOn
from harness.contract.api_level import ApiLevel
from harness.contract.thoroughness import Thoroughness
from harness.frontends.api import keywords
from harness.frontends.api.keywords import named, options_of


def test_keywords_are_options():
    given = options_of(
        "m",
        (),
        {
            "select": ["FMT", "ENQ-001"],
            "ignore": "CFG,CLN",
            "level": 10,
            "spec": "8.6",
            "fail_on": "warning",
            "timeout": 3,
        },
    )
    assert (given.modules, given.select, given.ignore) == (("m",), ("FMT", "ENQ-001"), ("CFG", "CLN"))
    assert (given.level, given.spec, given.fail_on, given.timeout) == (
        Thoroughness.EXHAUSTIVE,
        ApiLevel.V8_6,
        FailOn.WARNING,
        3.0,
    )


def test_every_keyword_is_an_option():
    names = {option.keyword for option in OPTIONS}
    assert set(keywords.Choices.__annotations__) <= names - {"module", "cases"}


def test_paths_may_be_paths(tmp_path, monkeypatch):
    (tmp_path / "known.json").touch()
    monkeypatch.chdir(tmp_path)
    given = options_of(Path("plugins"), [Path("more.py")], {"expected_failures": Path("known.json")})
    assert given.modules == (f"{tmp_path}/plugins",)
    assert given.cases == (f"{tmp_path}/more.py",)
    assert given.expected_failures == f"{tmp_path}/known.json"


def test_cases_are_modules_or_cases_one_or_many():
    case = {"plugin": "Bar", "inputs": []}
    assert options_of("m", "my_cases", {}).cases == ("my_cases",)
    assert options_of("m", json, {}).cases == (json.__path__[0],)
    assert options_of("m", case, {}).packed_cases
    mixed = options_of("m", ["my_cases", case, Case(plugin="Foo")], {})
    assert (mixed.cases, bool(mixed.packed_cases)) == (("my_cases",), True)
    assert options_of("m", (), {}).packed_cases == ""


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"levl": 5}, "there is no option 'levl' (did you mean 'level'?)"),
        ({"isolation": "none"}, "there is no option 'isolation'; known are setup, stub, select, "),
        ({"report": "json:x"}, "there is no option 'report'"),
        ({"level": 7}, "level=7: unknown value; choose from 1, 5, 10"),
        ({"level": True}, "level must be a word or a number, not True"),
        ({"timeout": "5"}, "timeout must be a number, not '5'"),
        ({"seed": -1}, "seed=-1: give a whole number from 0 up"),
        ({"setup": "register"}, "setup=register: write it as MODULE:FUNCTION"),
        ({"expected_failures": "none.json"}, "expected_failures=none.json: there is no file"),
    ],
)
def test_what_is_wrong_is_told_by_its_keyword(choices, told):
    with pytest.raises(UsageError) as error:
        options_of("m", (), choices)
    assert str(error.value).startswith(told)


def test_a_wrong_case_is_told_with_its_place():
    with pytest.raises(
        UsageError, match=r"^cases\[1\]: case 'Bar': unknown key 'inpts' of Case \(did you mean 'inputs'"
    ):
        options_of("m", [{"plugin": "Foo"}, {"plugin": "Bar", "inpts": []}], {})
    with pytest.raises(UsageError, match=r"^cases\[0\]: a case is a Case or a dict, not int"):
        options_of("m", [3], {})


def test_a_module_is_named_by_its_file():
    assert named("my_plugins") == "my_plugins"
    assert named(pytest) == str(Path(pytest.__file__).parent)
    assert named(keywords) == keywords.__file__
    compiled = types.ModuleType("compiled")
    compiled.__file__ = "/x/compiled.cpython-311.so"
    assert named(compiled) == "compiled"


def test_a_module_without_a_file_is_told():
    with pytest.raises(UsageError, match=r"the module 'typed_here' has no file, .* Write it into a file"):
        named(types.ModuleType("typed_here"))
    with pytest.raises(UsageError, match="a module is a dotted name, a path or an imported module, not int"):
        named(3)
