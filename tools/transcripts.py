#!/usr/bin/env python3
"""Run the commands in the documents, and replace the outputs that have changed.

    python tools/transcripts.py [--quick] [PAGE ...]     # runs the commands of the pages, and pastes their output

A fenced block that begins with ``$ `` is a transcript: commands, each with its output. The blocks of a page are one
session, in one scratch folder, in their order. An HTML comment in the line before a block has instructions:

* ``<!-- file: my_plugin.py -->``: the block is a file of the scratch folder. With ``from tests/x.py`` after the name,
  the comment has no block, and the file is copied from the repository.
* ``<!-- edit: my_plugin.py -->``: the block is a diff that is applied to the file.
* ``<!-- run: exit 1 -->``: the exit code of the last command (0 without it). ``<!-- run: long -->``: it takes more
  than a few seconds, and runs with ``-m nightly`` only.
* ``<!-- run: with onnx -->``: it needs this package, and is skipped without it.
* ``<!-- not run: needs a GPU -->``: it is not executed, for that reason. ``<!-- not run: tests/test_x.py runs it -->``:
  the named test runs it.

In an output a line ``...`` matches any number of lines, and ``...`` in a line any text. All numbers except times are
compared. Pytest's lines before the report (versions, folders, progress) are left out.
"""

import argparse
import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROMPT, DOTS = "$ ", "..."
#: The accepted reasons for a command that is not run, as beginnings of a text.
REASONS = (
    "needs a GPU",
    "needs the network",
    "needs a package that the tests do not have",
    "needs a program that the tests do not have",
)
#: Three dots that match any text; the dots of pytest's progress do not match.
_IN_A_LINE = re.compile(r"(?<![.\w-])\.\.\.(?!\.)|(?<!\.)\.\.\.(?![.-])")
#: The name of the scratch folder in outputs.
SHOWN_FOLDER = "~/plugins"
COLUMNS = "88"
_BLOCK = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*?) -->\n)?(?P<fence>```+)(?P<language>\w*)[^\n]*\n(?P<text>.*?\n)??(?P=fence)$"
    r"|^<!-- file: (?P<name>\S+) from (?P<source>\S+) -->$",
    re.MULTILINE | re.DOTALL,
)
#: Pytest's lines about the machine before the first test, and its lines of progress if only they follow.
_OPENING = re.compile(
    r"\A=+ test session starts =+\n(?:.*\n)*?collected .*\n\n*"
    r"(?:(?:(?:\S*conformance )?\S+ +\[ *\d+/\d+\]\n)+\n*(?==+ TensorRT plugin conformance))?"
)
_RUN = re.compile(r"run: (?:exit (?P<exit>\d+))?(?:, )?(?P<long>long)?(?:, )?(?:with (?P<package>\w+))?")
_FOREIGN = ("PYTEST_ADDOPTS", "CI", "FORCE_COLOR", "PY_COLORS", "NO_COLOR", "PYTEST_CURRENT_TEST")


class TranscriptError(Exception):
    """A document has a block with an unknown or impossible instruction."""


@dataclasses.dataclass(frozen=True)
class Command:
    """A command line, its expected output, and its expected exit status."""

    line: str
    output: str
    status: int = 0


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of a page that is part of its session.

    Attributes:
        note: The content of the comment before it.
        text: Its text.
        start: The position of the text in the page, in characters.
        line: The number of its first line, from 1.
        source: For a comment without a block: the file of the repository to copy.
    """

    note: str
    text: str
    start: int
    line: int
    source: str = ""

    @property
    def is_transcript(self):
        """Return whether the block has commands."""
        return self.text.startswith(PROMPT)

    @property
    def reason(self):
        """Return why the block is not run; empty if it is."""
        return self.note.removeprefix("not run: ") if self.note.startswith("not run: ") else ""

    @property
    def is_long(self):
        """Return whether the block takes more than a few seconds."""
        return bool((instruction := _RUN.fullmatch(self.note)) and instruction["long"])

    @property
    def package(self):
        """Return the package that it needs; empty if it needs none."""
        return ((instruction := _RUN.fullmatch(self.note)) and instruction["package"]) or ""

    def commands(self):
        """Return the commands; all commands before the last must exit with 0."""
        instruction = _RUN.fullmatch(self.note)
        pieces = re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]
        split = [re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", piece, re.DOTALL) for piece in pieces]
        last = int(instruction["exit"] or 0) if instruction else 0
        statuses = [*[0] * (len(pieces) - 1), last]
        return [Command(one[1].strip(), one[2].strip("\n"), to) for one, to in zip(split, statuses, strict=True)]


def blocks(page):
    """Return the session's blocks of a page, in order.

    Raises:
        TranscriptError: A comment before a block has an unknown instruction.
    """
    in_order = []
    for match in _BLOCK.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        if match["source"]:
            in_order.append(Block(f"file: {match['name']}", "", match.start(), line, match["source"]))
            continue
        block = Block(match["note"] or "", match["text"] or "", match.start("text"), line)
        if block.is_transcript or block.note.startswith(("file: ", "edit: ", "run", "not run")):
            _check(block)
            in_order.append(block)
    return in_order


def _check(block):
    """Raise an error if the comment before a block has an unknown instruction."""
    instructions = ("run: ", "not run: ") if block.is_transcript else ("file: ", "edit: ")
    known = (block.is_transcript and not block.note) or block.note.startswith(instructions)
    if not known or (block.note.startswith("run: ") and not _RUN.fullmatch(block.note)):
        raise TranscriptError(f"line {block.line}: a block with the comment {block.note!r}; see tools/transcripts.py")
    if block.reason and not block.reason.startswith(REASONS) and not _is_run_by_a_test(block.reason):
        raise TranscriptError(f"line {block.line}: {block.reason!r} is no reason: {', '.join(REASONS)}")


def _is_run_by_a_test(reason):
    """Return whether the reason names a test that exists: ``tests/test_x.py runs it``."""
    file, _, rest = reason.partition(" ")
    return rest == "runs it" and file.startswith("tests/") and (ROOT / file).is_file()


class Session:
    """A scratch folder in which the blocks of a page run one after the other."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.plugins = self.folder / "plugins"
        self.plugins.mkdir()
        (self.plugins / "setup.cfg").write_text(
            "[tool:pytest]\n", encoding="utf-8"
        )  # pytest's root is this folder, not a folder above
        programs = self.folder / "bin"
        programs.mkdir()
        self._program(programs / "pytest", "-m pytest -p no:randomly")
        self._program(
            programs / "trt-conformance", "-c 'import sys, harness.frontends.cli.main as c; sys.exit(c.main())'"
        )
        self._program(programs / "python", "")
        kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN and "XDIST" not in name}
        path = f"{programs}:{os.environ['PATH']}"
        installed = f"{ROOT}:{self.plugins / 'installed'}"  # documents install into the second
        self._environment = {**kept, "PATH": path, "PYTHONPATH": installed, "COLUMNS": COLUMNS, "TERM": "dumb"}

    def prepare(self, block):
        """Write, copy or change the file that a block names."""
        kind, _, name = block.note.partition(": ")
        file = self.plugins / name
        if block.source:
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / block.source, file)
        elif kind == "file":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        else:
            file.write_text(edited(file.read_text(encoding="utf-8"), block.text), encoding="utf-8")

    def run(self, command):
        """Run a command; return its output in the form that documents show, and its exit status."""
        done = subprocess.run(  # noqa: S603 - commands of this project's documents
            ["/bin/bash", "-c", command.line],
            cwd=self.plugins,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        text = done.stdout.replace(str(self.plugins), SHOWN_FOLDER).replace(f"{ROOT}/", "")
        text = _OPENING.sub("", text, count=1)
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()), done.returncode

    @staticmethod
    def _program(file, arguments):
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        file.chmod(0o755)


def edited(text, diff):
    """Return a text with a diff applied: in each hunk, the removed and context lines together must occur once.

    Raises:
        TranscriptError: The lines to change are missing, or occur more than once.
    """
    for hunk in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        lines = hunk.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        if text.count(before) != 1:
            raise TranscriptError(f"the file has {text.count(before)} times what the diff changes:\n{before}")
        text = text.replace(before, after)
    return text


def difference(expected, actual):
    """Return the difference of the actual output from that in the document; empty if there is none."""
    lines = [_normal(line) for line in expected.splitlines()]
    normal = [_normal(line) for line in actual.splitlines()]
    if _fits(lines, normal):
        return ""
    return "\n".join(difflib.unified_diff(lines, normal, "the document", "the command", lineterm=""))


def _fits(lines, actual):
    """Return whether the expected lines match the actual lines; a line of dots matches any number of lines.

    The lines between two lines of dots are matched at the first possible place, so the time is bounded by the product
    of both lengths.
    """
    groups = [[]]
    for line in lines:
        if line.strip() == DOTS:
            groups.append([])
        else:
            groups[-1].append([re.escape(part) for part in _IN_A_LINE.split(line)])
    first, *others = groups
    if not others:
        return len(first) == len(actual) and _matches(first, actual, 0)
    *between, last = others
    position, end = len(first), len(actual) - len(last)
    if position > end or not _matches(first, actual, 0) or not _matches(last, actual, end):
        return False
    for group in between:
        place = next((at for at in range(position, end - len(group) + 1) if _matches(group, actual, at)), None)
        if place is None:
            return False
        position = place + len(group)
    return True


def _matches(group, actual, at):
    return all(re.fullmatch(".*".join(parts), actual[at + place]) for place, parts in enumerate(group))


def _normal(line):
    line = re.sub(r"\b\d+\.\d+ ?s\b(?: \(\d+:\d\d:\d\d\))?", "TIME", line.rstrip())
    line = re.sub(r" *[\d,]+\.\d+ us\b", " TIME", line)
    line = re.sub(r"issued \S+ by (\S+) \d\S*", r"issued DATE by \1 VERSION", line)
    return re.sub(r"([=_-])\1{3,}", r"\1\1\1\1", line)


def shortened(expected, actual):
    """Return the actual output with ``...`` in place of lines, at the most likely places for the document's dots."""
    if DOTS not in (line.strip() for line in expected.splitlines()):
        return actual
    groups = re.split(r"^\s*\.\.\.$\n?", expected, flags=re.MULTILINE)
    lines, result, position = actual.splitlines(), [], 0
    for number, group in enumerate(each.splitlines() for each in groups):
        if number == 0:
            begin = 0
        elif number == len(groups) - 1:
            begin = max(position, len(lines) - len(group))
        else:
            begin = _likest(group, lines, position)
        result += [*([DOTS] if number else []), *lines[begin : begin + len(group)]]
        position = begin + len(group)
    return "\n".join(result)


def _likest(group, lines, position):
    """Return the place from ``position`` on where the lines are most like a group of expected lines."""

    def likeness(begin):
        pairs = zip(group, lines[begin : begin + len(group)], strict=False)
        return sum(
            difflib.SequenceMatcher(None, *pair).ratio() + (_first(pair[0]) == _first(pair[1])) for pair in pairs
        )

    return max(range(position, max(position + 1, len(lines) - len(group) + 1)), key=likeness)


def _first(line):
    return line.split()[:1]


def pages():
    """Return the documents, by their path in the repository."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {str(file.relative_to(ROOT)): file for file in files}


def renewed(page, *, long=True):
    """Return the text of a page with the present output of its commands, and print unexpected exit codes.

    Without ``long``, long commands are not run, and their output stays.
    """
    pieces, end = [], 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(folder)
        for block in blocks(page):
            if not block.is_transcript:
                session.prepare(block)
            elif not block.reason and (long or not block.is_long):
                pieces += [page[end : block.start], _renewed(session, block)]
                end = block.start + len(block.text)
    return "".join([*pieces, page[end:]])


def _renewed(session, block):
    texts = []
    for command in block.commands():
        actual, status = session.run(command)
        if status != command.status:
            print(f"line {block.line}: $ {command.line}: exits with {status}, not {command.status}")
        kept = not difference(command.output, actual)
        output = command.output if kept else shortened(command.output, actual)
        texts.append(f"{PROMPT}{command.line}\n{output}\n" if output else f"{PROMPT}{command.line}\n")
    return "\n".join(texts) if any(command.output for command in block.commands()) else "".join(texts)


def main():
    """Run the commands of the pages, and write the pages that change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="paths of pages (default: all)")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    options = parser.parse_args()
    for name in options.pages or pages():
        file = ROOT / name
        text = file.read_text(encoding="utf-8")
        now = renewed(text, long=not options.quick)
        if now != text:
            print(f"{name}: written anew")
            file.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    main()
