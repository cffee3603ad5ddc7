"""Find the faulty lines of a witness, and the correct lines that replace them."""

from __future__ import annotations

import ast
import difflib
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from harness.contract.explaining.witnesses import Excerpt, PlantedFault

#: A longer correction is hard to read in a terminal.
_MOST_LINES: Final = 16
#: A call of the overridden method with unchanged arguments.
_INHERITED: Final = re.compile(r"(return |\w+ = )?(super\(\)\.\w+\([a-z_*, ]*\))")


@dataclass(frozen=True)
class Correction:
    """A fault, its faulty lines with their place, and the lines that replace them."""

    fault: PlantedFault
    file: str
    line: int
    faulty: tuple[str, ...]
    fixed: tuple[str, ...]


def correction(faults: Iterable[PlantedFault]) -> Correction | None:
    """Return the correction that shows a rule's defect best; None if no witness has a short correction.

    The best is one that a witness declares, then one of the witness with the fewest methods, then the shortest. If a
    witness has several methods, some of them are correct.
    """
    corrections = [each for fault in faults for each in (declared(fault) if fault.fixed else _compared(fault))]
    short = [each for each in corrections if len(each.faulty) + len(each.fixed) <= _MOST_LINES]
    return min(short, key=_rank, default=None)


def _rank(candidate: Correction) -> tuple[bool, int, int]:
    methods = sum(1 for excerpt in candidate.fault.faulty for _ in _methods(excerpt))
    return not candidate.fault.fixed, methods, len(candidate.faulty) + len(candidate.fixed)


def declared(fault: PlantedFault) -> Iterator[Correction]:
    """Yield the corrections that the witness declares in ``FIXED``: parts of a line, or whole lines."""
    for text, right in fault.fixed.items():
        wrong = _stripped(text.splitlines())
        for excerpt in fault.faulty:
            for begin in range(len(excerpt.lines)):
                lines = excerpt.lines[begin : begin + wrong.count("\n") + 1]
                if wrong in (shown := _stripped(lines)):
                    fixed = tuple(shown.replace(wrong, right).splitlines())
                    yield Correction(fault, excerpt.file, excerpt.first + begin, dedented(lines), fixed)


def _stripped(lines: Iterable[str]) -> str:
    return "\n".join(line.strip() for line in lines)


def _compared(fault: PlantedFault) -> Iterator[Correction]:
    """Yield the changes from each faulty method to the method that it overrides.

    If a method calls the method that it overrides, the code around the call is the fault. This is certain only if the
    witness has no other method.
    """
    sound = [(node.name, dedented(_lines(each, node))) for each in fault.mended for node in _methods(each)]
    methods = [(excerpt, node) for excerpt in fault.faulty for node in _methods(excerpt)]
    for excerpt, node in methods:
        faulty, first = dedented(_lines(excerpt, node)), excerpt.first + node.lineno - 1
        inherited = [match for each in map(ast.unparse, node.body) if (match := _INHERITED.fullmatch(each))]
        if inherited and len(node.body) > 1 and len(methods) == len(fault.faulty) == 1:
            head = node.body[0].lineno - node.lineno
            fixed = f"{'return ' if inherited[0][1] else ''}{inherited[0][2]}"
            yield Correction(fault, excerpt.file, first + head, faulty[head:], (fixed,))
        goes_on = any(match[1] != "return " for match in inherited)
        for overridden in (each for known, each in sound if known == node.name and not goes_on):
            begin, end, replaced = _change(faulty, overridden)
            if end > begin and _is_code(replaced):
                yield Correction(fault, excerpt.file, first + begin, faulty[begin:end], replaced)


def _change(faulty: tuple[str, ...], fixed: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
    """Return the begin and end of the faulty lines that differ, and the lines that replace them."""
    changes = [each for each in difflib.SequenceMatcher(None, faulty, fixed).get_opcodes() if each[0] != "equal"]
    if not changes:
        return 0, 0, ()
    _, begin, _, other, _ = changes[0]
    _, _, end, _, last = changes[-1]
    return begin, end, fixed[other:last]


def _methods(excerpt: Excerpt) -> Iterator[ast.FunctionDef]:
    """Yield the methods and functions in an excerpt of Python; none of C++."""
    if excerpt.file.endswith(".py"):
        nodes = ast.walk(ast.parse(textwrap.dedent("\n".join(excerpt.lines))))
        yield from (node for node in nodes if isinstance(node, ast.FunctionDef))


def _lines(excerpt: Excerpt, node: ast.FunctionDef) -> tuple[str, ...]:
    return excerpt.lines[node.lineno - 1 : node.end_lineno]


def dedented(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines of code without the indentation that all of them have."""
    return tuple(textwrap.dedent("\n".join(lines)).splitlines())


def _is_code(lines: tuple[str, ...]) -> bool:
    """Return whether lines hold code besides the head of a method, ``pass`` and blank lines."""
    return any(line.strip() not in {"", "pass"} and not line.strip().startswith("def ") for line in lines)
