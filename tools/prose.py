"""Report sentences in documents, docstrings and messages that a reader has to read twice.

    python tools/prose.py            # all of the repository
    python tools/prose.py PATH ...   # files or folders

proselint searches for the patterns of tools/prose_checks.py. In Markdown, code in fences and in `spans` is left out. In
Python files, only docstrings and string literals with a space are checked; comments are not. The exit code is 1 if
there is a finding.
"""

from __future__ import annotations

import ast
import functools
import pathlib
import re
import sys

from prose_checks import CHECKS, END, OF_PROSELINT
from proselint.checks import __register__ as proselints_own
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

HOME = pathlib.Path(__file__).parent.parent
FOLDERS = ("conformance", "docs", "harness", "plugin_examples", "pytest_trt_conformance", "reference_runtime", "tools")
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md")
#: Files with lists of words, which are no sentences.
LEFT_OUT = {"tools/prose_checks.py"}
CONFIG = {"max_errors": 10_000, "checks": {"plain": True, **dict.fromkeys(OF_PROSELINT, True)}}

NEWLINE = "\n"

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$|^\| not \|.*?\n\n|<!--.*?-->", re.MULTILINE | re.DOTALL)
#: Spans of code with commas between them are one list. In a docstring, ``name: text`` that is indented by two levels is
#: an entry under ``Args:`` or ``Attributes:``.
_SPAN = re.compile(r"`+[^`]+`+(?:, `+[^`]+`+)*|\]\([^)]*\)|(?<=\n {9})\w+(?=: )")
_SOURCE = re.compile(r"^<svg |\) \{$|[;{]\n.*[;{]$|const\* ", re.MULTILINE)
#: The names of ONNX's operators.
_NAMES = re.compile(r"(?:\s*[A-Z]\w*)+\s*")
#: The end of a cell of a table.
_CELL = re.compile(r"(?<!\\)\|")
#: The beginning of a docstring that is a question or a clause. A docstring should begin with a verb; that of a class
#: with a noun.
_CLAUSE = re.compile(r"(?:what|how|which|where|why|whose|when|whether|who)\b|[^.]*\?", re.IGNORECASE)
_INDENTED = re.compile(r"^\n(?: {4}.*\n)+", re.MULTILINE)


def main(arguments):
    """Print a line for each finding, and return the exit code."""
    register()
    lines = [line for path in files(arguments) for line in findings(path)]
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


@functools.cache
def register():
    """Make the checks known to proselint, once in a process."""
    CheckRegistry().register_many((*CHECKS, *proselints_own))


def files(arguments):
    """Return the Markdown and Python files in the given files and folders; by default, those of the repository."""
    places = [pathlib.Path(each) for each in arguments] or [HOME / each for each in (*PAGES, *FOLDERS)]
    all_files = [file for place in places for file in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    return [file for file in all_files if file.suffix in {".md", ".py"} and relative(file) not in LEFT_OUT]


def relative(file):
    """Return a file's path relative to the repository's root; unchanged if it is not in the repository."""
    return file.resolve().relative_to(HOME).as_posix() if file.resolve().is_relative_to(HOME) else str(file)


def findings(file):
    """Return the findings in one file, each as ``path:line: check: message``."""
    text, is_python = file.read_text(), file.suffix == ".py"
    page = LintFile(relative(file), (prose_of_python if is_python else prose_of_markdown)(text) or " ")
    begins = [f"{relative(file)}:{line}: plain.begin: {advice}" for line, advice in clauses(text)] if is_python else []
    return begins + [
        f"{relative(file)}:{page.content.count(NEWLINE, 0, each.span[0])}: {each.check_path}: {each.message}"
        for each in (each.check_result for each in page.lint(CONFIG))
    ]


def clauses(source):
    """Yield each docstring that begins with a question or a clause (``What a rule needs``): its line, and advice."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and _CLAUSE.match(without_code(ast.get_docstring(node) or "")):
            yield node.body[0].lineno, f"begin with a {'noun' if isinstance(node, ast.ClassDef) else 'verb'}"


def prose_of_markdown(text):
    """Return the text of a page without code, comments, and tables of bad sentences (``| not |``)."""
    for blocks in (_FENCE, _INDENTED):
        text = blocks.sub(lambda code: f"{END}{NEWLINE * code[0].count(NEWLINE)}", text)
    return without_code(without_sources(text))


def without_sources(text):
    """Return a text with marks in place of the cells of table columns named ``source``, which are references."""
    lines, column = text.split("\n"), 0
    for number, line in enumerate(lines):
        cells = _CELL.split(line)
        if not line.startswith("|"):
            column = 0
        elif column:
            lines[number] = "|".join([*cells[:column], " # ", *cells[column + 1 :]])
        elif " source " in cells:
            column = cells.index(" source ")
    return "\n".join(lines)


def without_code(text):
    """Return a text with marks in place of code, addresses of links and names of entries; lines keep their numbers."""
    return _SPAN.sub(lambda code: re.sub(r"[^\n]", "#", code[0]), text)


def prose_of_python(source):
    """Return the docstrings of a source and its string literals with spaces, on the lines that they have there."""
    lines = [""] * (source.count("\n") + 1)
    for node, text in texts(ast.parse(source)):
        shown = text.splitlines()[: node.end_lineno - node.lineno + 1]
        for number, line in enumerate(shown, node.lineno - 1):
            lines[number] += f" {line}"
        lines[node.lineno + len(shown) - 2] += f" {END} "
    return without_code("\n".join(lines))


def texts(tree):
    """Yield the docstrings and the string literals with spaces in a syntax tree, each as node and text.

    In an f-string (``f"{name} is 3"``) each field counts as a word. A text whose ``split`` is called is left out: it is
    a list of words. Sources in C++, drawings and lists of names are left out, too.
    """
    waiting = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Attribute) and node.attr == "split":
            continue
        if isinstance(node, ast.JoinedStr):
            waiting += [each for each in node.values if isinstance(each, ast.FormattedValue)]
            text = "".join(each.value if isinstance(each, ast.Constant) else "#" for each in node.values)
        else:
            waiting += ast.iter_child_nodes(node)
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if " " in text and not _SOURCE.search(text) and not _NAMES.fullmatch(text):
            yield node, text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
