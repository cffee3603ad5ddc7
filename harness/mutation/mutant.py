"""Make mutants. A mutant is a module's source with one injected defect."""

from __future__ import annotations

import collections
import random
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from harness.mutation.anatomy import Module
from harness.mutation.change import code_of, diff

if TYPE_CHECKING:
    from pathlib import Path

    from harness.mutation.change import Change
    from harness.mutation.kind import Operator

#: Libraries that injected code uses, by their usual names in modules of plugins.
_LIBRARY = re.compile(r"\b(cp|math|np|trt)\.")


class Mutant(msgspec.Struct, frozen=True):
    """A source with a defect.

    Attributes:
        id: The file's name, the operator, the place, and the number among the operator's mutants there.
        operator: The kind of defect.
        file: The file that is changed.
        place: The function, class or ``(module)`` in it.
        line: The line that is changed, in the original.
        lines: All lines that are changed, in the original.
        text: The changed source.
        diff: The lines that differ, with ``-`` or ``+``.
    """

    id: str
    operator: Operator
    file: Path
    place: str
    line: int
    lines: tuple[int, ...]
    text: str
    diff: tuple[str, ...]


class Planted(msgspec.Struct, frozen=True):
    """The mutants of a file, and the number of changes that do not change an instruction."""

    mutants: tuple[Mutant, ...]
    without_effect: int = 0


def plant(file: Path, text: str, operators: Iterable[Operator]) -> Planted:
    """Return a mutant for each change that operators make in a source, except changes that alter no instruction.

    Equal changes by two operators make one mutant.

    Raises:
        SyntaxError: The source is not valid Python.
    """
    module, code = Module(text), code_of(text)
    seen = {text}
    mutants: list[Mutant] = []
    without_effect = 0
    numbers: collections.Counter[tuple[str, str]] = collections.Counter()
    for operator in operators:
        for change in operator.plant(module):
            changed = change.applied(text)
            if changed in seen or _lacks_a_name(text, change):
                continue
            seen.add(changed)
            try:
                has_effect = code_of(changed) != code
            except SyntaxError:
                continue
            if not has_effect:
                without_effect += 1
                continue
            numbers[operator.name, change.place] += 1
            mutants.append(_mutant(operator, file, change, text, changed, numbers[operator.name, change.place]))
    return Planted(tuple(mutants), without_effect)


def _lacks_a_name(text: str, change: Change) -> bool:
    """Return whether a change uses a library that is not imported, or attributes that ``__slots__`` forbids."""
    planted = "\n".join(edit.text for edit in change.edits)
    libraries = {*_LIBRARY.findall(planted)}
    missing = any(not re.search(rf"^\s*(from|import) .*\b{name}\b", text, re.MULTILINE) for name in libraries)
    return missing or ("__dict__" in planted and "__slots__" in text)


def sampled(mutants: Sequence[Mutant], limit: int | None, seed: int) -> tuple[Mutant, ...]:
    """Return at most ``limit`` random mutants in their order; each operator has one before any has a second."""
    if limit is None or limit >= len(mutants):
        return tuple(mutants)
    generator = random.Random(seed)  # noqa: S311 - the sample must be the same each time
    turns: collections.Counter[str] = collections.Counter()
    ranked = []
    for mutant in generator.sample(list(mutants), len(mutants)):
        turns[mutant.operator.name] += 1
        ranked.append((turns[mutant.operator.name], mutant))
    chosen = {mutant.id for _, mutant in sorted(ranked, key=lambda each: each[0])[:limit]}
    return tuple(mutant for mutant in mutants if mutant.id in chosen)


def _mutant(operator: Operator, file: Path, change: Change, text: str, changed: str, number: int) -> Mutant:
    known = f"{file.stem}:{operator.name}:{change.place}:{number}"
    return Mutant(known, operator, file, change.place, change.line, change.lines, changed, tuple(diff(text, changed)))
