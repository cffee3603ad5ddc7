"""Shorten captured output for the terminal: only the user's frames, and repeated text once."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

_HOME = Path(__file__).parents[3]
#: A frame of this distribution's code, as the bindings write frames below ``At:``.
_OURS = re.compile(
    rf"  (<string>|{re.escape(str(_HOME))}/(harness|conformance|reference_runtime)/.*)\(\d+\): \S+", re.DOTALL
)
#: The beginning of a message of TensorRT's logger.
_ENTRY = re.compile(r"^(?=\[[A-Z_]+\] )", re.MULTILINE)
#: A message of TensorRT's logger, and the frames below it.
_LOGGED = re.compile(r"^\[[A-Z_]+\] .*\n?(?:\n*At:\n(?:  .*\n?)+)?", re.MULTILINE)


def shortened(content: str) -> str:
    """Return the output without this distribution's frames, and equal messages in a row once, with their number."""
    parts = []
    for entry, same in itertools.groupby(_ENTRY.split(content), key=_of_the_user):
        more = len(list(same)) - 1
        parts += [entry, f"({more} more like it)\n\n" if more else ""]
    return "".join(parts)


def without_logger(content: str) -> str:
    """Return the output without messages of TensorRT's logger and empty lines, and equal lines once."""
    lines = _LOGGED.sub("", content).splitlines()
    return "\n".join(dict.fromkeys(line for line in lines if line.strip()))


def _of_the_user(entry: str) -> str:
    """Return an entry without this distribution's frames; the innermost frame stays, because it shows what raised."""
    lines = entry.splitlines(keepends=True)
    at = lines.index("At:\n") + 1 if "At:\n" in lines else len(lines)
    return "".join(line for index, line in enumerate(lines) if index <= at or not _OURS.fullmatch(line.rstrip("\n")))
