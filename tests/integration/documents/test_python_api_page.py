"""What ``docs/python_api.md`` says holds: its snippets are run, one after the other, and show what it shows."""

import contextlib
import io
import itertools
import subprocess
import sys

import pytest

import harness
from harness.frontends.api.keywords import Choices
from tests.support.pages import HOME, blocks, insist_on, project, run

PAGE = blocks("python_api.md")
SNIPPETS = [text for language, text in PAGE if language == "python"]
FILE = SNIPPETS[-1]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    project(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_snippets_show_what_the_page_shows():
    names = {"__name__": "__main__"}
    for (language, text), (following, claimed) in itertools.pairwise(PAGE):
        if language == "python" and text != FILE:
            shown = io.StringIO()
            with contextlib.redirect_stdout(shown):
                exec(text, names)  # noqa: S102 - our own page
            assert following == "text"
            insist_on(claimed, shown.getvalue())


def test_the_test_file_does_what_the_page_shows(folder):
    (folder / "test_rules.py").write_text(FILE)
    command, claimed = PAGE[-1][1].split("\n", 1)
    code, shown = run(command.removeprefix("$ "), folder)
    assert code == 0, shown
    insist_on(claimed, shown)


@pytest.mark.nightly
def test_the_snippets_are_typed(folder):
    (folder / "snippets.py").write_text("\n".join(SNIPPETS))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(folder / "cache"),
        "snippets.py",
    ]
    done = subprocess.run(  # noqa: S603 - our own tool
        command, env={"MYPYPATH": str(HOME), "PATH": ""}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_page_names_each_option_and_each_part_of_a_report():
    text = (HOME / "docs" / "python_api.md").read_text(encoding="utf-8")
    assert [name for name in Choices.__annotations__ if f"`{name}`" not in text] == []
    assert [name for name in harness.Report.__annotations__ if f"`{name}" not in text] == []
