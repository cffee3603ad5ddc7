"""The faults that are planted in C++: one for each macro that a source names, read as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_DECLARED: Final = re.compile(r"^// FAULT (\w+) +([A-Z0-9]+-\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class NativeFault:
    """A source, the macro ``FAULT_name`` that plants a fault into it, and the rule that the fault breaks."""

    file: str
    text: str
    name: str
    breaks: str

    @property
    def defect(self) -> str:
        """The defect in words: its name."""
        return self.name.replace("_", " ").capitalize() + "."

    def excerpts(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the lines that are compiled with the fault alone, after the number of the first of them."""
        lines = self.text.splitlines()
        planted = re.compile(rf"#(ifdef|(el)?if) .*(?<!!defined\()\bFAULT_{self.name}\b")
        for place in (number for number, line in enumerate(lines, start=1) if planted.match(line)):
            end = next(number for number in range(place, len(lines)) if lines[number].startswith("#"))
            yield place + 1, tuple(lines[place:end])


def native_faults(texts: Mapping[str, str]) -> list[NativeFault]:
    """Return the faults that sources in C++ declare, in their order; the texts of the sources are given by path."""
    return [NativeFault(file, text, *found) for file, text in texts.items() for found in _DECLARED.findall(text)]
