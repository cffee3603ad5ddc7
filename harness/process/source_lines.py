"""Source lines for C++ stacks: what addr2line of binutils says of a library that has debug information."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from typing import Final

from harness.process import own_clock

#: How a C++ stack begins.
HEADING: Final = "C++ stack (most recent call first):"
_CAUSES: Final = ("A C++ exception left the plugin", "AddressSanitizer ended the process")
_NAMELESS: Final = "a function without a name"
_FRAME: Final = re.compile(r"^(  .+) in (/.+) \+(0x[0-9a-f]+)$", re.MULTILINE)
_SECONDS: Final = 10.0
_SYSTEM: Final = "/usr/"


def with_source_lines(text: str) -> str:
    """Return a stack whose frames say file and line where that is known; without addr2line it stays as it is."""
    offsets: dict[str, list[str]] = {}
    for _, file, offset in _FRAME.findall(text):
        offsets.setdefault(file, []).append(offset)
    places = {file: _places(file, tuple(found)) for file, found in offsets.items()}

    def shown(frame: re.Match[str]) -> str:
        place = places[frame[2]].get(frame[3])
        return f"{frame[1]} at {place} in {frame[2]} +{frame[3]}" if place else frame[0]

    return _FRAME.sub(shown, text)


def cause_of(text: str) -> str:
    """Return what ended a process that wrote a C++ stack: the exception if there was one, and the function."""
    before, _, stack = text.partition(HEADING)
    thrown = [line for line in before.splitlines()[-1:] if line.startswith(_CAUSES)]
    frames = [line.strip() for line in with_source_lines(stack).splitlines() if line.strip()]
    return "; ".join([*thrown, *(f"in {frame}" for frame in frames[:1] if not frame.startswith(_NAMELESS))])


@functools.lru_cache(maxsize=64)
def _places(file: str, offsets: tuple[str, ...]) -> dict[str, str]:
    """Return ``file:line`` by offset: of code that was inlined, the place in what is no header of the system."""
    tool = shutil.which("addr2line")
    if tool is None:
        return {}
    command = [tool, "--addresses", "--inlines", f"--exe={file}", *offsets]
    try:
        done = own_clock.output_of(command, seconds=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            group = found.setdefault(hex(int(line, 16)), [])
        elif "?" not in line:
            group.append(line.partition(" (discriminator")[0])
    return {
        offset: next((each for each in lines if not each.startswith(_SYSTEM)), lines[-1])
        for offset, lines in found.items()
        if lines
    }
