"""The published schema of the table says what the reader says."""

import json
from types import SimpleNamespace

import jsonschema
import pytest

from harness.config import json_schema, pyproject, toml
from harness.config.declarations import ALONE, OPTIONS
from harness.config.errors import UsageError
from harness.frontends.cli import main
from harness.frontends.pytest_plugin import options

#: Each with a value that is good and one that is not, as TOML.
VALUES = {
    "module": ("['my_plugins', 'src/a.py']", "['']"),
    "library": ("['here.json']", "3"),
    "app": ("'my_app:main'", "'my_app'"),
    "cases": ("'my_cases'", "3"),
    "setup": ("'my_plugins:register'", "'my_plugins:'"),
    "stub": ("'torch_tensorrt, PIL'", "3"),
    "include": ("'Fused*, acme/*'", "[1]"),
    "exclude": ("['Fused*']", "{}"),
    "onnx": ("['here.onnx']", "true"),
    "onnx-dims": ("'n=1:4'", "''"),
    "select": ("'FMT,ENQ-001'", "[1]"),
    "ignore": ("[]", "{}"),
    "level": ("10", "7"),
    "expected-failures": ("'here.json'", "['here.json']"),
    "baseline": ("'here.json'", "3"),
    "spec": ("8.6", "9"),
    "fail-on": ("'not-run'", "'notrun'"),
    "device": ("'host'", "'HOST'"),
    "addresses": ("'opaque'", "true"),
    "isolation": ("'none'", "''"),
    "timeout": ("0.5", "0"),
    "seed": ("0", "-1"),
    "fuzz-examples": ("7.0", "0"),
    "fuzz-time": ("60", "'60'"),
    "fuzz-database": ("'shared'", "4"),
    "sanitizer": ("'memcheck, racecheck'", "['memchek']"),
    "runtime": ("'rtx'", "'tensorrt_rtx'"),
    "benchmark": ("true", "'yes'"),
    "benchmark-against": ("'old_plugins'", "['old_plugins']"),
    "benchmark-fail": ("'2.5%'", "2.5"),
    "report": ("'json:here.json'", "'jsn:here.json'"),
    "plugin": ("{Bar = {timeout = 3, ignore = 'FUZ'}}", "{Bar = {level = 3}}"),
}
#: What an option needs beside it.
BESIDE = {"onnx-dims": "onnx = 'here.onnx'\n", "benchmark-fail": "", "onnx": ""}


@pytest.fixture
def accepts(tmp_path, monkeypatch):
    """Return whether the schema accepts a table, and whether the reader does."""
    monkeypatch.chdir(tmp_path)
    for name in ("here.onnx", "here.json"):
        (tmp_path / name).touch()

    def both(text):
        (tmp_path / "pyproject.toml").write_text(f"[tool.trt-conformance]\n{text}")
        told = toml.parsed(text.encode())
        return jsonschema.Draft7Validator(json_schema.schema()).is_valid(told), _is_read(tmp_path)

    return both


def _is_read(folder):
    config = SimpleNamespace(
        getoption=lambda name, default=None: {"plugin_module": ["m"]}.get(name, default),
        getini=lambda _: "",
        invocation_params=SimpleNamespace(dir=folder),
        pluginmanager=SimpleNamespace(hasplugin=lambda name: name != ALONE),
    )
    try:
        options.read(config)
    except UsageError:
        return False
    return True


def test_there_is_a_property_for_each_option_and_one_for_plugins():
    known = json_schema.schema()["properties"]
    assert list(known) == [*(option.name for option in OPTIONS), "plugin"] == list(VALUES)
    assert list(known["plugin"]["additionalProperties"]["properties"]) == [
        option.name for option in OPTIONS if option.name in pyproject.OVERRIDABLE
    ]
    assert len(pyproject.OVERRIDABLE) == len(known["plugin"]["additionalProperties"]["properties"])


@pytest.mark.parametrize("name", VALUES)
def test_the_schema_accepts_what_the_reader_accepts(accepts, name):
    good, bad = VALUES[name]
    assert accepts(f"{BESIDE.get(name, '')}{name} = {good}") == (True, True)
    assert accepts(f"{BESIDE.get(name, '')}{name} = {bad}") == (False, False)


@pytest.mark.parametrize(
    "text", ["fail_on = 'error'", "modul = 'x'", "plugin.Bar.timout = 3", "plugin.Bar = 3", "plugin = 3"]
)
def test_the_schema_refuses_keys_that_the_reader_refuses(accepts, text):
    assert accepts(text) == (False, False)


def test_the_schema_is_one(accepts):
    assert accepts("") == (True, True)
    jsonschema.Draft7Validator.check_schema(json_schema.schema())


def test_the_command_prints_the_published_schema(capsys):
    assert main.main(["schema", "config"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema.schema()


def test_an_unknown_schema_is_a_usage_error(capsys):
    with pytest.raises(SystemExit):
        main.main(["schema", "confg"])
    assert "invalid choice: 'confg'" in capsys.readouterr().err
