"""Hear what a C++ plugin says while it refuses a guess: the errors that it logs, and its standard error."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tempfile
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_STANDARD_ERROR = 2
#: How much of what a plugin says is read.
MOST_HEARD = 2000


class Heard(msgspec.Struct, frozen=True):
    """Errors that a plugin logged, and text that it printed to standard error."""

    errors: str = ""
    printed: str = ""


class Ear:
    """The listener for this process and its forks, those included that end."""

    def __init__(self, *files: int) -> None:
        self._files = files

    def taken(self) -> Heard:
        """Return what was said since the last time, each in one line, without repetitions."""
        return Heard(*map(_taken, self._files))


def _taken(file: int) -> str:
    said = os.pread(file, MOST_HEARD, 0)
    os.ftruncate(file, 0)
    os.lseek(file, 0, os.SEEK_SET)
    lines = dict.fromkeys(" ".join(line.split()) for line in said.decode(errors="replace").splitlines())
    return " ".join(filter(None, lines))


@contextlib.contextmanager
def listening() -> Iterator[Ear]:
    """Hear what is said meanwhile; it goes nowhere else."""
    from reference_runtime.native.services.logger import tell_of_errors  # noqa: PLC0415 - only for plugins in C++

    sys.stderr.flush()
    kept = os.dup(_STANDARD_ERROR)
    with tempfile.TemporaryFile(buffering=0) as errors, tempfile.TemporaryFile(buffering=0) as printed:
        os.dup2(printed.fileno(), _STANDARD_ERROR)
        tell_of_errors(functools.partial(os.write, errors.fileno()))
        try:
            yield Ear(errors.fileno(), printed.fileno())
        finally:
            sys.stderr.flush()
            tell_of_errors(None)
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)
