"""Report sentences in documents, docstrings and messages that a reader has to read twice.

    python tools/prose.py            # all of the repository
    python tools/prose.py PATH ...   # files or folders

proselint looks for the words of tools/prose_checks.py. Code is left out: fences and `spans` of Markdown, and all of a
Python file but docstrings and texts of several words. The exit code is 1 if anything is found.
"""

from __future__ import annotations

import ast
import functools
import pathlib
import re
import sys

from prose_checks import CHECKS, OF_PROSELINT
from proselint.checks import __register__ as proselints_own
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

HOME = pathlib.Path(__file__).parent.parent
FOLDERS = ("conformance", "docs", "harness", "plugin_examples", "pytest_trt_conformance", "reference_runtime", "tools")
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md")
#: Lists of words are no sentences.
LEFT_OUT = {"tools/prose_checks.py"}
CONFIG = {"max_errors": 10_000, "checks": {"plain": True, **dict.fromkeys(OF_PROSELINT, True)}}

NEWLINE = "\n"

_CODE = re.compile(r"^ *(```|~~~).*?^ *\1|^\| not \|.*?\n\n|<!--.*?-->|`+[^`]+`+|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def main(arguments):
    """Print what is found, a line each, and return the exit code."""
    register()
    found = [line for path in files(arguments) for line in findings(path)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


@functools.cache
def register():
    """Make the checks known to proselint, once in a process."""
    CheckRegistry().register_many((*CHECKS, *proselints_own))


def files(arguments):
    """Return the files that are meant: Markdown and Python."""
    places = [pathlib.Path(each) for each in arguments] or [HOME / each for each in (*PAGES, *FOLDERS)]
    found = [file for place in places for file in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    return [file for file in found if file.suffix in {".md", ".py"} and relative(file) not in LEFT_OUT]


def relative(file):
    """Return a file's name from the repository's root."""
    return file.resolve().relative_to(HOME).as_posix() if file.resolve().is_relative_to(HOME) else str(file)


def findings(file):
    """Return what is found in one file: ``path:line: check: message``."""
    prose = prose_of_python(file.read_text()) if file.suffix == ".py" else without_code(file.read_text())
    page = LintFile(relative(file), prose or " ")
    results = [each.check_result for each in page.lint(CONFIG)]
    return [f"{relative(file)}:{page.content.count(NEWLINE, 0, each.span[0])}: {each.message}" for each in results]


def without_code(text):
    """Return Markdown with marks in place of code, links, comments and examples of what not to write, line by line."""
    return _CODE.sub(lambda code: re.sub(r"[^\n]", "#", code[0]), text)


def prose_of_python(source):
    """Return the docstrings of a source, and its texts that have spaces, each in its lines."""
    lines = [""] * (source.count("\n") + 1)
    for node in texts(ast.parse(source)):
        for number, line in enumerate(node.value.splitlines()[: node.end_lineno - node.lineno + 1], node.lineno - 1):
            lines[number] += f" {line}"
    return without_code("\n".join(lines))


def texts(tree):
    """Yield the constants of a tree that people read: docstrings, and texts of several words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
