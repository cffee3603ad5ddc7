"""Name an object and a line of an application for traces."""

from __future__ import annotations

import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Ref:
    """One object of the application's: ``context 2``."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


@dataclasses.dataclass(frozen=True)
class Site:
    """A line of the application."""

    file: str
    line: int

    def __str__(self) -> str:
        here = f"{pathlib.Path.cwd()}/"
        return f"{self.file.removeprefix(here)}:{self.line}"
