"""What ``docs/configuration.md`` says holds."""

import json
from types import SimpleNamespace

import jsonschema
import pytest

from harness.config import json_schema, pyproject
from harness.config.declarations import ALONE, OPTIONS, Kind
from harness.frontends.pytest_plugin import options
from tests.support.pages import HOME, blocks, insist_on, project, run

PAGE = blocks("configuration.md")
TABLES = [text for language, text in PAGE if language == "toml"]
RUNS = [text for language, text in PAGE if language == "text"]


@pytest.fixture
def folder(tmp_path):
    project(tmp_path)
    return tmp_path


@pytest.mark.parametrize("table", TABLES)
def test_a_table_of_the_page_is_good(folder, table):
    (folder / "pyproject.toml").write_text(table)
    config = SimpleNamespace(
        getoption=lambda name, default=None: {"plugin_module": ["my_plugins"]}.get(name, default),
        getini=lambda _: "",
        invocation_params=SimpleNamespace(dir=folder),
        pluginmanager=SimpleNamespace(hasplugin=lambda name: name != ALONE),
    )
    assert options.read(config).config == str(folder / "pyproject.toml")


def test_the_first_table_does_what_the_page_shows(folder):
    (folder / "pyproject.toml").write_text(TABLES[0])
    command, claimed = RUNS[0].split("\n", 1)
    code, shown = run(command.removeprefix("$ "), folder)
    assert code == 0
    insist_on(claimed, shown)
    assert "test_own.py" in shown


def test_a_mistake_is_told_as_the_page_shows(folder):
    (folder / "pyproject.toml").write_text("[tool.trt-conformance]\nfail_on = 'error'")
    command, claimed = RUNS[1].split("\n", 1)
    code, shown = run(command.removeprefix("$ "), folder)
    assert (code, len(RUNS)) == (4, 2)
    insist_on(claimed, shown)


def test_the_schema_of_the_whole_file_finds_mistakes():
    (wrapper,) = (json.loads(text) for language, text in PAGE if language == "json")
    table = wrapper["properties"]["tool"]["properties"]
    assert table == {"trt-conformance": {"$ref": "trt-conformance.json"}}
    table["trt-conformance"] = json_schema.schema()
    check = jsonschema.Draft7Validator(wrapper)
    assert check.is_valid({"project": {}, "tool": {"trt-conformance": {"level": 5}, "other": 1}})
    assert not check.is_valid({"tool": {"trt-conformance": {"levle": 5}}})


def test_the_page_names_each_key_of_a_plugin_and_each_kind_of_option():
    text = (HOME / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in pyproject.OVERRIDABLE)
    odd = [
        option.name
        for option in OPTIONS
        if option.repeatable or option.kind in {Kind.SWITCH, Kind.NUMBER, Kind.SECONDS}
    ]
    assert [name for name in odd if f"`{name}`" not in text] == []
