"""One object of an application, as traces name it."""

from __future__ import annotations

import dataclasses

__all__ = ["Ref"]


@dataclasses.dataclass(frozen=True)
class Ref:
    """One object of the application's: ``context 2``."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"
