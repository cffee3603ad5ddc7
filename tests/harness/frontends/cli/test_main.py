"""The console command runs scripts on the reference runtime and lists rules."""

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.contract import catalogue
from harness.frontends.cli import main

HOME = Path(__file__).parents[4]
DATA = Path(__file__).parents[3] / "support" / "stubs"


@pytest.fixture(autouse=True)
def stub_rules(monkeypatch):
    monkeypatch.syspath_prepend(DATA)
    entry = importlib.metadata.EntryPoint("stub", "stub_rules", catalogue.GROUP)
    monkeypatch.setattr(catalogue, "_entry_points", lambda: [entry])


def test_rules_are_listed_with_severity_and_requirement(capsys):
    assert main.main(["rules", "FMT", "CFG-001"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "CFG-001  warning  configure_plugin prints nothing.",
        "FMT-001  error    The answer for pos depends only on positions 0..pos.",
        "FMT-002  error    The same question gets the same answer.",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run"], "run needs a script, or -m and a module"),
        (["run", "no_such.py"], "there is no script no_such.py"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["schema", "plan"], "invalid choice: 'plan'"),
        (["report"], "the following arguments are required: REPORT.json, FORMAT:PATH"),
        (["rules", "--level", "3"], "invalid choice: 3"),
    ],
)
def test_what_makes_no_sense_is_told(capsys, arguments, told):
    with pytest.raises(SystemExit) as end:
        main.main(arguments)
    assert end.value.code == 4
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rules", "FMT-003"], "there is no rule, family or severity 'FMT-003' (did you mean 'FMT-00"),
        (["rules", "--family", "fmt"], "'fmt' (did you mean 'FMT'?)"),
        (["explain", "fmt-001"], "'fmt-001' (did you mean 'FMT-001'?)"),
        (["explain", "FMTS"], "'FMTS' (did you mean 'FMT'?)"),
        (["explain", "FMT-001", "ENQ-009"], "'ENQ-009' (did you mean 'ENQ-00"),
    ],
)
def test_a_rule_that_does_not_exist_is_one_error(capsys, arguments, told):
    assert main.main(arguments) == 4
    shown = capsys.readouterr()
    (line,) = shown.err.splitlines()
    assert told in line
    assert not shown.out


def test_a_family_is_explained_by_one_line_a_rule(capsys):
    assert main.main(["explain", "FMT"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "FMT-001  error    The answer for pos depends only on positions 0..pos.",
        "FMT-002  error    The same question gets the same answer.",
    ]
    assert main.main(["explain", "CFG", "ENQ-002"]) == 0
    listed, explained = capsys.readouterr().out.split("\n\n", maxsplit=1)
    assert listed.startswith("CFG-001  warning")
    assert explained.lstrip().startswith("ENQ-002: The output is what the reference says.")


@pytest.mark.parametrize(
    ("filters", "listed"),
    [
        (["--family", "FMT", "--family", "CFG"], ["CFG-001", "FMT-001", "FMT-002"]),
        (["--severity", "warning"], ["CFG-001"]),
        (["--interface", "IPluginV3", "FMT-001"], ["FMT-001"]),
        (["--level", "1"], []),
        (["--level", "5", "ENQ"], ["ENQ-001", "ENQ-002"]),
    ],
)
def test_filters_add_up(capsys, filters, listed):
    assert main.main(["rules", *filters]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == listed
    assert main.main(["rules", "--json", *filters]) == 0
    assert [rule["id"] for rule in json.loads(capsys.readouterr().out)] == listed


SCRIPT = "import sys, tensorrt; print(tensorrt.ILogger.__name__, sys.argv[1:])"
MAIN = (
    f"import sys; sys.path.insert(1, {str(HOME)!r}); from harness.frontends.cli import main as command; command.main()"
)


@pytest.mark.parametrize("how", [["script.py"], ["-m", "script"]])
def test_a_script_runs_on_the_reference_runtime(tmp_path, how):
    (tmp_path / "script.py").write_text(SCRIPT)
    program = [sys.executable, "-c", MAIN, "run", *how, "-x"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout == "ILogger ['-x']\n"
