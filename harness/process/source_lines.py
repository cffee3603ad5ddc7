"""Add source lines to C++ stacks, which ``addr2line`` of binutils finds in a library with debug information."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from typing import Final

from harness.process import own_clock

#: How a C++ stack begins.
HEADING: Final = "C++ stack (most recent call first):"
#: How the line before a stack begins, if it names the cause.
_CAUSES: Final = ("A C++ exception left the plugin", "AddressSanitizer ended the process")
_NAMELESS: Final = "a function without a name"
_FRAME: Final = re.compile(r"^(  .+) in (/.+) \+(0x[0-9a-f]+)$", re.MULTILINE)
_SECONDS: Final = 10.0
_SYSTEM: Final = "/usr/"


def with_source_lines(text: str) -> str:
    """Return a stack with file and line in each frame for which they are known; unchanged without ``addr2line``."""
    offsets: dict[str, list[str]] = {}
    for _, file, offset in _FRAME.findall(text):
        offsets.setdefault(file, []).append(offset)
    places = {file: _places(file, tuple(each)) for file, each in offsets.items()}

    def shown(frame: re.Match[str]) -> str:
        place = places[frame[2]].get(frame[3])
        return f"{frame[1]} at {place} in {frame[2]} +{frame[3]}" if place else frame[0]

    return _FRAME.sub(shown, text)


def cause_of(text: str) -> str:
    """Return why a process wrote a C++ stack: the exception, if one was thrown, and the innermost function."""
    before, _, stack = text.partition(HEADING)
    thrown = [line for line in before.splitlines()[-1:] if line.startswith(_CAUSES)]
    frames = [line.strip() for line in with_source_lines(stack).splitlines() if line.strip()]
    return "; ".join([*thrown, *(f"in {frame}" for frame in frames[:1] if not frame.startswith(_NAMELESS))])


@functools.lru_cache(maxsize=64)
def _places(file: str, offsets: tuple[str, ...]) -> dict[str, str]:
    """Return ``file:line`` by offset; of inlined code, the innermost place that is not in a header of the system."""
    tool = shutil.which("addr2line")
    if tool is None:
        return {}
    command = [tool, "--addresses", "--inlines", f"--exe={file}", *offsets]
    try:
        done = own_clock.output_of(command, seconds=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    by_offset: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            group = by_offset.setdefault(hex(int(line, 16)), [])
        elif "?" not in line:
            group.append(line.partition(" (discriminator")[0])
    return {
        offset: next((each for each in lines if not each.startswith(_SYSTEM)), lines[-1])
        for offset, lines in by_offset.items()
        if lines
    }
