"""Words of a crash report, by which its parts are found again."""

from __future__ import annotations

from typing import Final

#: How the stack begins.
HEADING: Final = "C++ stack (most recent call first):"
#: How the line above it begins, where an exception ended the process.
THROWN: Final = "A C++ exception left the plugin"
#: What stands for a function that no table of symbols names.
NAMELESS: Final = "a function without a name"
