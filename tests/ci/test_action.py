"""What code hosts run: the files are valid, and the scripts in them do what they say."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support import native_build

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "ci.md").read_text()
ACTION = yaml.safe_load((HOME / "action.yml").read_text())
GITLAB = yaml.safe_load((HOME / "ci" / "gitlab.yml").read_text())[".trt-conformance"]
#: Python as scripts call it: pip is written down, everything else runs.
PYTHON = """#!/bin/bash
if [ "${{1-}} ${{2-}}" = "-m pip" ]; then printf '%s\\n' "$@" >> "{log}"; exit 0; fi
if [ "${{1-}} ${{2-}}" = "-m venv" ]; then
    mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; ln -sf "{pip}" "$3/bin/pip"; exit 0
fi
exec "{python}" "$@"
"""
PIP = '#!/bin/bash\nprintf "%s\\n" "$@" >> "{log}"\n'


@pytest.fixture
def shell(tmp_path):
    """Run a script in a scratch folder that has a plugin; return how it ended, with pip's arguments."""
    programs, log = tmp_path / "programs", tmp_path / "pip.log"
    programs.mkdir()
    pip = programs / "pip"
    pip.write_text(PIP.format(log=log))
    for name in ("python", "python3"):
        (programs / name).write_text(PYTHON.format(log=log, pip=pip, python=sys.executable))
    for program in programs.iterdir():
        program.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    (here / "pytest.ini").write_text("[pytest]\n")

    def run(script, program=("bash", "-e"), **variables):
        foreign = ("TRT_CONFORMANCE_", "PYTEST_", "GITHUB_", "INPUT_")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        environment = {
            **clean,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(HOME),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_ACTION_PATH": "/the/action",
            **variables,
        }
        log.write_text("")
        done = subprocess.run(  # noqa: S603 - our own script
            [*program, "-c", script], cwd=here, env=environment, capture_output=True, text=True, check=False
        )
        done.pip = log.read_text().splitlines()
        done.here = here
        done.output = (tmp_path / "output").read_text() if (tmp_path / "output").exists() else ""
        return done

    return run


def step(name):
    (found,) = [each for each in ACTION["runs"]["steps"] if each.get("name") == name]
    return found


def inputs(**given):
    """Return the environment of the step that certifies, where a workflow gives some inputs."""
    values = {
        name: str(given.pop(name.replace("-", "_"), about["default"])) for name, about in ACTION["inputs"].items()
    }
    assert not given, "the action has no such inputs"
    pattern = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
    return {name: values[pattern.fullmatch(text)[1]] for name, text in step("Certify")["env"].items()}


def certified(folder):
    return json.loads((folder / "conformance.json").read_text())


def blocks(language):
    """Return the page's blocks of a language, by the file that each says it is."""
    found = re.findall(rf"```{language}\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found


def by_schema(folder):
    """Return the files that code hosts read by the name of their schema; the page's blocks are written to a folder."""
    files = {
        "github-actions": [HOME / "action.yml"],
        "gitlab-ci": [HOME / "ci" / "gitlab.yml"],
        "github-workflows": [*(HOME / ".github" / "workflows").iterdir()],
    }
    for number, (name, text) in enumerate(blocks("yaml")):
        file = folder / f"{number}.yml"
        file.write_text(text)
        files["gitlab-ci" if name == ".gitlab-ci.yml" else "github-workflows"].append(file)
    return files


@pytest.mark.nightly
@pytest.mark.parametrize("schema", ["github-actions", "gitlab-ci", "github-workflows"])
def test_what_code_hosts_read_is_valid_by_their_schemas(tmp_path, schema):
    files = map(str, by_schema(tmp_path)[schema])
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    assert done.returncode == 0, done.stdout


def test_no_input_reaches_a_script_but_through_the_environment():
    scripts = [each["run"] for each in ACTION["runs"]["steps"] if "run" in each]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]


def test_the_page_lists_the_actions_inputs_and_uses_no_others():
    table = PAGE.partition("The action's inputs:")[2].partition("Its output")[0]
    listed = {
        name for row in re.findall(r"^\| ([^|]*)\|", table, re.MULTILINE) for name in re.findall(r"`([\w-]+)`", row)
    }
    assert listed == set(ACTION["inputs"])
    for name, text in blocks("yaml"):
        for job in (yaml.safe_load(text).get("jobs") or {}).values():
            ours = [each for each in job["steps"] if "pytest-trt-conformance@" in each.get("uses", "")]
            assert len(ours) == 1, name
            assert set(ours[0]["with"]) <= set(ACTION["inputs"])


def test_the_action_installs_itself_and_what_the_plugins_need(shell):
    done = shell(step("Install")["run"], INPUT_REQUIREMENTS="-r needs it.txt\n\ncupy-cuda12x>=13\n")
    assert done.returncode == 0, done.stderr
    assert done.pip[-4:] == ["/the/action", "-r", "needs it.txt", "cupy-cuda12x>=13"]
    assert shell(step("Install")["run"], INPUT_REQUIREMENTS="").pip[-1] == "/the/action"


@pytest.mark.nightly
def test_the_action_certifies_and_passes_on_what_it_is_given(shell):
    given = inputs(
        modules="plugin_examples.leaky_relu\n", level=1, reports="json:conformance.json\n", args="-kID\n--color=no\n"
    )
    done = shell(step("Certify")["run"], **given)
    assert done.returncode == 0, done.stdout + done.stderr
    report = certified(done.here)
    assert (report["options"]["modules"], report["level"]) == (["plugin_examples.leaky_relu"], 1)
    assert {rule["id"][:3] for rule in report["plugins"][0]["rules"]} == {"ID-"}
    assert done.output == "exit-code=0\n"


@pytest.mark.nightly
def test_libraries_are_certified_by_action_and_job(shell):
    library = str(native_build.library(native_build.EXAMPLES / "bar.cpp"))
    options = {"TRT_CONFORMANCE_LEVEL": "1", "TRT_CONFORMANCE_LIBRARY": library}
    package = GITLAB["variables"] | {"CONFORMANCE_PACKAGE": "a.whl", "CONFORMANCE_ARGS": "-k ID"}
    given = inputs(libraries=f"{library}\n", level=1, reports="json:conformance.json", args="-kID")
    for done in (
        shell(step("Certify")["run"], **given),
        shell("\n".join(GITLAB["script"]), program=("sh", "-e"), **package, **options),
    ):
        assert done.returncode == 0, done.stdout + done.stderr
        assert certified(done.here)["options"]["libraries"] == [library]


def test_the_action_fails_as_pytest_does(shell):
    module = "plugin_examples.faulty.formats.format_peeks_ahead"
    done = shell(step("Certify")["run"], **inputs(modules=module, reports="", args="--plugin-select=FMT-001"))
    assert (done.returncode, done.output) == (1, "exit-code=1\n")


@pytest.mark.nightly
def test_the_action_compares_with_a_baseline(shell):
    given = {"modules": "plugin_examples.faulty.formats.format_peeks_ahead", "args": "--plugin-select=FMT-001"}
    shell(step("Certify")["run"], **inputs(**given, reports="json:conformance.json"))
    done = shell(step("Certify")["run"], **inputs(**given, reports="", baseline="conformance.json"))
    assert done.returncode == 0, done.stdout
    assert "FAILS as the baseline does" in done.stdout


def test_the_action_refuses_to_certify_nothing(shell):
    done = shell(step("Certify")["run"], **inputs(modules=" \n"))
    assert done.returncode == 4
    assert done.stdout == "::error::nothing to certify: give the action 'modules', 'libraries' or 'apps'\n"


def test_what_is_given_to_the_action_is_never_run_by_the_shell(shell):
    done = shell(step("Certify")["run"], **inputs(modules="$(touch pwned); `touch pwned`", reports=""))
    assert done.returncode == 4
    assert not (done.here / "pwned").exists()


@pytest.mark.nightly
def test_gitlabs_job_certifies(shell):
    done = shell(
        "\n".join(GITLAB["script"]),
        program=("sh", "-e"),
        **GITLAB["variables"]
        | {"CONFORMANCE_PACKAGE": "a-wheel.whl", "CONFORMANCE_REQUIREMENTS": "cupy more", "CONFORMANCE_ARGS": "-k ID"},
        TRT_CONFORMANCE_MODULE="plugin_examples.leaky_relu",
        TRT_CONFORMANCE_LEVEL="1",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.pip[-3:] == ["a-wheel.whl", "cupy", "more"]
    assert certified(done.here)["level"] == 1
    assert all((done.here / name).is_file() for name in GITLAB["artifacts"]["paths"])
    assert (done.here / GITLAB["artifacts"]["reports"]["junit"]).is_file()


@pytest.mark.parametrize(
    ("variables", "status", "told"),
    [
        ({}, None, "say what pip installs"),
        ({"CONFORMANCE_PACKAGE": "x"}, 4, "nothing to certify: set TRT_CONFORMANCE_MODULE, TRT_CONFORMANCE_LIBRARY or"),
    ],
)
def test_gitlabs_job_says_what_it_lacks(shell, variables, status, told):
    done = shell("\n".join(GITLAB["script"]), program=("sh", "-e"), **GITLAB["variables"] | variables)
    assert done.returncode == status or (status is None and done.returncode)
    assert told in done.stderr


@pytest.mark.nightly
def test_the_pages_script_certifies(shell):
    ((_, script),) = blocks("sh")
    done = shell(
        script,
        program=("sh",),
        MODULE="plugin_examples.leaky_relu",
        CONFORMANCE_PACKAGE="a.whl",
        TRT_CONFORMANCE_LEVEL="1",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "a.whl" in done.pip
    assert (done.here / "conformance.xml").is_file()
