"""Read the faults that are planted in C++ as text: one for each macro that a source names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_DECLARED: Final = re.compile(r"^// FAULT (\w+) +([A-Z0-9]+-\d+)(?: +(.+))?$", re.MULTILINE)
#: A helper of these sources, which stops the compiler from removing an allocation.
_HELPER: Final = re.compile(r"\bkept\(((?:[^()]|\([^()]*\))*)\)")


@dataclass(frozen=True)
class NativeFault:
    """A source, the macro ``FAULT_name`` that plants a fault, the broken rule, and the defect in a sentence or ""."""

    file: str
    text: str
    name: str
    breaks: str
    sentence: str = ""

    @property
    def defect(self) -> str:
        """The defect in words: its sentence or its name."""
        return self.sentence or self.name.replace("_", " ").capitalize() + "."

    def excerpts(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the lines that only the fault has, as plain C++, after the number of the first of them."""
        lines = self.text.splitlines()
        planted = re.compile(rf"#(ifdef|(el)?if) .*(?<!!defined\()\bFAULT_{self.name}\b")
        for place in (number for number, line in enumerate(lines, start=1) if planted.match(line)):
            end = next(number for number in range(place, len(lines)) if lines[number].startswith("#"))
            yield place + 1, tuple(_HELPER.sub(r"\1", line) for line in lines[place:end])


def native_faults(texts: Mapping[str, str]) -> list[NativeFault]:
    """Return the faults that sources in C++ declare, in their order; the texts of the sources are given by path."""
    return [NativeFault(file, text, *found) for file, text in texts.items() for found in _DECLARED.findall(text)]
