"""Read the faulty examples in C++ as text: a source has one fault for each macro that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_DECLARED: Final = re.compile(r"^// FAULT (\w+) +([A-Z0-9]+-\d+)(?: +(.+))?$", re.MULTILINE)
#: A helper in these sources, which keeps the compiler from removing an allocation; excerpts do not show it.
_HELPER: Final = re.compile(r"\bkept\(((?:[^()]|\([^()]*\))*)\)")


@dataclass(frozen=True)
class NativeFault:
    """One fault: its source, its name (the macro is ``FAULT_name``), the broken rule, and a sentence on it or ""."""

    file: str
    text: str
    name: str
    breaks: str
    sentence: str = ""

    @property
    def defect(self) -> str:
        """Return the sentence on the defect; without one, the name in words."""
        return self.sentence or self.name.replace("_", " ").capitalize() + "."

    def excerpts(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield each block of lines that only the fault has, as plain C++, after the number of its first line."""
        lines = self.text.splitlines()
        planted = re.compile(rf"#(ifdef|(el)?if) .*(?<!!defined\()\bFAULT_{self.name}\b")
        for place in (number for number, line in enumerate(lines, start=1) if planted.match(line)):
            end = next(number for number in range(place, len(lines)) if lines[number].startswith("#"))
            yield place + 1, tuple(_HELPER.sub(r"\1", line) for line in lines[place:end])


def native_faults(texts: Mapping[str, str]) -> list[NativeFault]:
    """Return the faults that sources in C++ declare, in their order; ``texts`` has the sources by path."""
    return [NativeFault(file, text, *declared) for file, text in texts.items() for declared in _DECLARED.findall(text)]
