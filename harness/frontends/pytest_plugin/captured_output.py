"""Shorten the output of a call for the terminal: the user's frames only, and repeated text once."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

_HOME = Path(__file__).parents[3]
#: A frame as the bindings write it, below ``At:``, where it is one of ours.
_OURS = re.compile(
    rf"  (<string>|{re.escape(str(_HOME))}/(harness|conformance|reference_runtime)/.*)\(\d+\): \S+", re.DOTALL
)
#: Where what TensorRT's logger writes begins.
_ENTRY = re.compile(r"^(?=\[[A-Z_]+\] )", re.MULTILINE)
#: A message of TensorRT's logger, and the frames below it.
_LOGGED = re.compile(r"^\[[A-Z_]+\] .*\n?(?:\n*At:\n(?:  .*\n?)+)?", re.MULTILINE)


def shortened(content: str) -> str:
    """Return what was written, without our own frames and repetitions."""
    told = []
    for entry, same in itertools.groupby(_ENTRY.split(content), key=_of_the_user):
        more = len(list(same)) - 1
        told += [entry, f"({more} more like it)\n\n" if more else ""]
    return "".join(told)


def without_logger(content: str) -> str:
    """Return what the user's code itself wrote: without TensorRT's logger, and equal lines once."""
    lines = _LOGGED.sub("", content).splitlines()
    return "\n".join(dict.fromkeys(line for line in lines if line.strip()))


def _of_the_user(entry: str) -> str:
    """Return an entry without the frames that are ours; the innermost stays, for it says what raised."""
    lines = entry.splitlines(keepends=True)
    at = lines.index("At:\n") + 1 if "At:\n" in lines else len(lines)
    return "".join(line for index, line in enumerate(lines) if index <= at or not _OURS.fullmatch(line.rstrip("\n")))
