"""Every command in the documents does what they say; ``python tools/transcripts.py`` pastes what it prints now."""

import importlib.util
import re

import pytest

from harness.config.declarations import OPTIONS
from harness.frontends.cli.main import _parser
from tools import transcripts

PAGES = {name: file.read_text(encoding="utf-8") for name, file in transcripts.pages().items()}
TOLD = [name for name, text in PAGES.items() if any(block.is_transcript for block in transcripts.blocks(text))]
#: The pages whose commands run by day; those of the others run by night.
BY_DAY = {"README.md", "docs/tutorial.md"}
LONG = [name for name in TOLD if any(block.is_long for block in transcripts.blocks(PAGES[name]))]


def check(name, folder, *, long):
    """Run the blocks of a page; those that take long only if asked for."""
    session = transcripts.Session(folder)
    for block in transcripts.blocks(PAGES[name]):
        if not block.is_transcript:
            session.prepare(block)
        elif not block.reason and (long or not block.is_long) and is_there(block.package):
            for command in block.commands():
                actual, status = session.run(command)
                differs = transcripts.difference(command.output, actual)
                told = f"{name}:{block.line}: $ {command.line}\n{differs or actual}"
                assert (status, differs) == (command.status, ""), f"{told}\npython tools/transcripts.py {name}"


def is_there(package):
    return not package or importlib.util.find_spec(package) is not None


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in BY_DAY else [pytest.mark.nightly]) for name in TOLD]
)
def test_commands_print_and_exit_as_the_document_says(name, tmp_path):
    check(name, tmp_path, long=False)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LONG)
def test_commands_that_take_long_do_too(name, tmp_path):
    check(name, tmp_path, long=True)


def test_no_transcript_hides_in_an_indented_block():
    hidden = re.compile(r"^(?:[ >]+(?:```+|~~~+)|~~~+)\w*\n[ >]*\$ ", re.MULTILINE)
    assert [name for name, text in PAGES.items() if hidden.search(text)] == []


def test_there_are_documents_with_commands():
    assert {"README.md", "docs/tutorial.md", "docs/failures.md"} <= set(TOLD)


def test_options_that_a_document_names_are_there():
    there = {option.flag for option in OPTIONS}
    named = {(name, flag) for name, text in PAGES.items() for flag in re.findall(r"--plugin-[a-z]+(?:-[a-z]+)*", text)}
    assert {(name, flag) for name, flag in named if flag not in there} == set()


def test_subcommands_that_a_document_names_are_there():
    there = set(next(action.choices for action in _parser()._actions if action.dest == "command"))
    command = re.compile(r"(?:^|[`$] ?|    )trt-conformance ([a-z]+)\b", re.MULTILINE)
    named = {(name, word) for name, text in PAGES.items() for word in command.findall(text)}
    assert {(name, word) for name, word in named if word not in there} == set()
