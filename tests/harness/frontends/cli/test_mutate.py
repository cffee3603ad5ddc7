"""mutate as a user types it: what is planted and judged, what is printed and written, and the exit status."""

import json
import shutil
from pathlib import Path

import pytest

from harness.frontends.cli import main, mutate

EXAMPLES = Path(__file__).parents[4] / "plugin_examples"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLES / "bar.py", tmp_path / "my_plugin.py")
    shutil.copy(EXAMPLES / "bar_cases.py", tmp_path / "my_plugin_cases.py")
    return tmp_path


@pytest.mark.nightly
def test_what_goes_unnoticed_is_told_and_written(folder, capsys):
    source = (EXAMPLES / "bar.py").read_text()
    source = source.replace("return desc.type in TYPES and", "return int(desc.type in TYPES) and")
    (folder / "my_plugin.py").write_text(source)
    words = ["mutate", "my_plugin", "--level", "1", "--jobs", "1", "--json", "found.json"]
    operators = ["--operator", "clone_is_its_source", "--operator", "random_state_set"]
    assert main.main([*words, *operators]) == 1
    shown = capsys.readouterr()
    *told, last = shown.out.splitlines()
    assert told[0] == "my_plugin itself breaks FMT-005: a defect that only these rules report counts as unnoticed"
    assert told[1] == (
        "my_plugin.py:52 in BarPlugin.enqueue: The execution seeds NumPy's global random state. (random_state_set)"
    )
    assert told[2] == "    +        np.random.seed(0)"
    assert told[3].startswith("    in one build and execution of each case, its calls and answers equal")
    assert last == "1 of 2 injected defects goes unnoticed"
    assert not shown.err
    found = json.loads((folder / "found.json").read_text())
    assert (found["module"], found["interfaces"], found["level"]) == ("my_plugin", ["IPluginV2DynamicExt"], 1)
    by_kind = {entry["operator"]: entry for entry in found["mutants"]}
    assert by_kind["clone_is_its_source"]["fate"] == "noticed"
    assert by_kind["clone_is_its_source"]["attributed"] is True
    assert by_kind["random_state_set"]["fate"] == "unnoticed"
    assert (folder / "my_plugin.py").read_text() == source


@pytest.mark.nightly
def test_where_all_is_noticed_the_exit_status_is_0(folder, capsys):  # noqa: ARG001 - it is the current folder
    assert (
        main.main(["mutate", "my_plugin.py", "--level", "1", "--jobs", "2", "--operator", "clone_gives_nothing"]) == 0
    )
    assert capsys.readouterr().out == "0 of 1 injected defect go unnoticed\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name the module to plant defects into"),
        (["no_such_module"], "there is no module named 'no_such_module'"),
        (["no/such.py"], "there is no file no/such.py"),
        (["my_plugin", "--operator", "clone_is_its_sorce"], "(did you mean 'clone_is_its_source'?)"),
        (["my_plugin", "--limit", "0"], "argument --limit: '0': give a number, 1 or more"),
        (["my_plugin", "--jobs", "many"], "argument --jobs: 'many': give a number, 1 or more"),
        (["my_plugin", "--level", "3"], "--level"),
        (["my_plugin", "--json", "no_such/found.json"], "cannot write to no_such/found.json"),
        (["my_plugin", "--operater", "x"], "--operater: unknown option (did you mean '--operator'?)"),
    ],
)
def test_what_makes_no_sense_is_one_error(folder, capsys, arguments, told):  # noqa: ARG001 - as above
    with pytest.raises(SystemExit) as end:
        main.main(["mutate", *arguments])
    assert end.value.code == 4
    shown = capsys.readouterr()
    assert told in shown.err.splitlines()[0]
    assert not shown.out


@pytest.mark.parametrize(
    ("text", "told"),
    [("def f(:\n", "cannot be read as Python"), ("x = 1\n", "no place to plant a defect into")],
)
def test_a_module_that_holds_nothing_is_an_error(folder, capsys, text, told):
    (folder / "empty.py").write_text(text)
    assert main.main(["mutate", "empty.py"]) == 4
    assert told in capsys.readouterr().err


@pytest.mark.nightly
def test_a_module_that_cannot_be_imported_is_an_error(folder, capsys):
    broken = (folder / "my_plugin.py").read_text().replace("import cupy as cp", "import no_such_module")
    (folder / "my_plugin.py").write_text(broken)
    assert main.main(["mutate", "my_plugin.py", "--level", "1", "--operator", "clone_is_its_source"]) == 4
    assert "my_plugin.py cannot be judged, so no defect can be injected" in capsys.readouterr().err


def test_the_kinds_of_defects_are_listed(capsys):
    assert main.main(["mutate", "--operators"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 40
    assert "clone_is_its_source  CLN-001  ``clone`` returns the object itself." in lines


def test_a_word_names_a_kind_or_a_family():
    cloning = mutate.chosen(["cloning"])
    assert {each.family for each in cloning} == {"cloning"}
    assert [each.name for each in mutate.chosen(["clone_is_its_source"])] == ["clone_is_its_source"]
    assert len(mutate.chosen([])) > len(cloning)
