"""List the tools that some rules need besides the reference runtime; these rules run only on request."""

from __future__ import annotations

import enum
from typing import Final

from harness.contract.sanitizer_tool import Tool


class Builder(enum.Enum):
    """NVIDIA's builder, as a tool of rules."""

    NVIDIA = "NVIDIA's builder"

    @property
    def option(self) -> str:
        """Return the option that adds its rules to a run."""
        return "--plugin-runtime=rtx"


#: All tools.
ALL: Final[tuple[Tool | Builder, ...]] = (*Tool, *Builder)


def named(value: str) -> Tool | Builder:
    """Return the tool with a value."""
    return next(each for each in ALL if each.value == value)
