"""Define a defect as a change of a source: edits by position, which can be applied and compared."""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterator

import msgspec


class Edit(msgspec.Struct, frozen=True):
    """Another text for the bytes ``start`` to ``end`` of a source; ``line`` is that of the edited node."""

    start: int
    end: int
    text: str
    line: int


class Change(msgspec.Struct, frozen=True):
    """The edits of one defect; ``place`` is the method, class or function that they are in."""

    place: str
    edits: tuple[Edit, ...]

    @property
    def line(self) -> int:
        """The line of the last edit; earlier edits are preparations."""
        return self.edits[-1].line

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of all edits, in ascending order."""
        return tuple(sorted({edit.line for edit in self.edits}))

    def applied(self, text: str) -> str:
        """Return the source with the edits."""
        source = text.encode()
        for edit in sorted(self.edits, key=lambda each: (each.start, each.end), reverse=True):
            source = source[: edit.start] + edit.text.encode() + source[edit.end :]
        return source.decode()


def diff(before: str, after: str) -> list[str]:
    """Return the lines that differ, each after ``-`` or ``+``."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def code_of(text: str) -> tuple[object, ...]:
    """Return the instructions and constants of a source, without line numbers. Equal results have equal effects.

    Raises:
        SyntaxError: The source is not valid Python.
    """
    return _code(compile(text, "<mutant>", "exec", dont_inherit=True))


def _code(code: types.CodeType) -> tuple[object, ...]:
    constants = tuple(_constants(code))
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_name, code.co_flags)


def _constants(code: types.CodeType) -> Iterator[object]:
    for each in code.co_consts:
        yield _code(each) if isinstance(each, types.CodeType) else (type(each), repr(each))
