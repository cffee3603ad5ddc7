"""A line of an application."""

from __future__ import annotations

import dataclasses
import pathlib

__all__ = ["Site"]


@dataclasses.dataclass(frozen=True)
class Site:
    """A line of the application."""

    file: str
    line: int

    def __str__(self) -> str:
        here = f"{pathlib.Path.cwd()}/"
        return f"{self.file.removeprefix(here)}:{self.line}"
