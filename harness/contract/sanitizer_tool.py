"""List the sanitizers: the tools of NVIDIA's compute-sanitizer for kernels, and GCC's AddressSanitizer for C++."""

from __future__ import annotations

import enum

#: Seconds that one case may take under a tool.
SECONDS = 300.0


class Tool(enum.Enum):
    """One sanitizer, by its name in ``--plugin-sanitizer``; all but ``ADDRESS`` are tools of compute-sanitizer."""

    MEMCHECK = "memcheck"
    RACECHECK = "racecheck"
    INITCHECK = "initcheck"
    SYNCCHECK = "synccheck"
    ADDRESS = "address"

    @property
    def option(self) -> str:
        """Return the option that adds its rules to a run."""
        return f"--plugin-sanitizer={self.value}"
