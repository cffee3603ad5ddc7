"""Find the lines of a planted fault that differ from the correct code, and the lines that replace them."""

from __future__ import annotations

import ast
import difflib
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from harness.contract.explaining.witnesses import Excerpt, PlantedFault

#: A longer correction is hard to read in a terminal.
_MOST_LINES: Final = 16


@dataclass(frozen=True)
class Correction:
    """A fault, its faulty lines with their place, and the lines that replace them."""

    fault: PlantedFault
    file: str
    line: int
    faulty: tuple[str, ...]
    fixed: tuple[str, ...]


def correction(faults: Iterable[PlantedFault]) -> Correction | None:
    """Return the correction of a rule's faults that has the fewest lines; None if no code shows one."""
    found = [each for fault in faults for each in (*_declared(fault), *_compared(fault))]
    short = [each for each in found if len(each.faulty) + len(each.fixed) <= _MOST_LINES]
    return min(short, key=lambda each: (not each.fault.fixed, len(each.faulty) + len(each.fixed)), default=None)


def _declared(fault: PlantedFault) -> Iterator[Correction]:
    """Yield the corrections that the witness itself has, in ``FIXED``."""
    for line, fixed in fault.fixed.items():
        for excerpt in fault.faulty:
            if line in (shown := [each.strip() for each in excerpt.lines]):
                place = excerpt.first + shown.index(line)
                yield Correction(fault, excerpt.file, place, (line,), tuple(fixed.splitlines()))


def _compared(fault: PlantedFault) -> Iterator[Correction]:
    """Yield the changes from each faulty method to the method that it overrides."""
    sound = [(_name(each), dedented(each.lines)) for each in fault.mended]
    for excerpt in fault.faulty:
        for name, first, lines in _methods(excerpt):
            faulty = dedented(lines)
            for fixed in (each for known, each in sound if known == name):
                begin, end, replaced = _change(faulty, fixed)
                if end > begin and _is_code(replaced):
                    shown = faulty[begin:end]
                    yield Correction(fault, excerpt.file, first + begin, shown, replaced)


def _change(faulty: tuple[str, ...], fixed: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
    """Return where the faulty lines differ, from their first difference to their last, and the lines instead."""
    changes = [each for each in difflib.SequenceMatcher(None, faulty, fixed).get_opcodes() if each[0] != "equal"]
    if not changes:
        return 0, 0, ()
    _, begin, _, other, _ = changes[0]
    _, _, end, _, last = changes[-1]
    return begin, end, fixed[other:last]


def _methods(excerpt: Excerpt) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Yield the name, first line and lines of each method of a class; C++ has none here."""
    if not excerpt.file.endswith(".py"):
        return
    for node in ast.walk(ast.parse(textwrap.dedent("\n".join(excerpt.lines)))):
        if isinstance(node, ast.FunctionDef):
            yield node.name, excerpt.first + node.lineno - 1, excerpt.lines[node.lineno - 1 : node.end_lineno]


def _name(excerpt: Excerpt) -> str:
    return next(name for name, _, _ in _methods(excerpt))


def dedented(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines of code without the indentation that all of them have."""
    return tuple(textwrap.dedent("\n".join(lines)).splitlines())


def _is_code(lines: tuple[str, ...]) -> bool:
    """Say whether lines show a correction: some line besides the head of the method, ``pass`` and blanks."""
    return any(line.strip() not in {"", "pass"} and not line.strip().startswith("def ") for line in lines)
