"""Tools that some rules judge by beside the reference runtime: these rules run only if asked for."""

from __future__ import annotations

import enum
from typing import Final

from harness.contract.sanitizer_tool import Tool


class Builder(enum.Enum):
    """A builder of NVIDIA's."""

    NVIDIA = "NVIDIA's builder"

    @property
    def option(self) -> str:
        """The option that makes its rules part of a run."""
        return "--plugin-runtime=rtx"


#: All of them.
ALL: Final[tuple[Tool | Builder, ...]] = (*Tool, *Builder)


def named(value: str) -> Tool | Builder:
    """Return what has a value."""
    return next(each for each in ALL if each.value == value)
