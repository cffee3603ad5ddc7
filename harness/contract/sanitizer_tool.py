"""Sanitizers: the tools of NVIDIA's compute-sanitizer, which see inside kernels, and one for the heap of C++."""

from __future__ import annotations

import enum

#: Seconds that one case may take under a tool.
SECONDS = 300.0


class Tool(enum.Enum):
    """One tool, by the name that compute-sanitizer and ``--plugin-sanitizer`` have for it; ``ADDRESS`` is GCC's."""

    MEMCHECK = "memcheck"
    RACECHECK = "racecheck"
    INITCHECK = "initcheck"
    SYNCCHECK = "synccheck"
    ADDRESS = "address"

    @property
    def option(self) -> str:
        """The option that makes its rules part of a run."""
        return f"--plugin-sanitizer={self.value}"
