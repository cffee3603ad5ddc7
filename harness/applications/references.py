"""Define how traces name an object and a line of an application."""

from __future__ import annotations

import pathlib

import msgspec


class Ref(msgspec.Struct, frozen=True):
    """The name of one object of the application, for example ``context 2``."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Site(msgspec.Struct, frozen=True):
    """A line of the application."""

    file: str
    line: int

    def __str__(self) -> str:
        here = f"{pathlib.Path.cwd()}/"
        return f"{self.file.removeprefix(here)}:{self.line}"
