"""Stacks as text: dumped by a process that dies or is overdue, or taken from an exception; the user's frames only."""

from __future__ import annotations

import faulthandler
import importlib
import signal
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The signal that makes a process dump its stack: a real-time one, which plugins hardly use and which queues.
DUMP_SIGNAL = signal.SIGRTMAX - 4
_FATAL = "Fatal Python error:"
_DUMP_BEGINS = "Stack (most recent call first):"
_OURS = f"{Path(__file__).parents[1]}/"
_IMPORT_MACHINERY = ("<frozen importlib", importlib.__file__)
#: Who calls into the code under test, outermost: from there on a stack is the same for everybody.
_OUTERMOST = tuple(f'  File "{_OURS}{name}.py"' for name in ("child/task", "child/user_module", "applications/running"))


def arm(descriptor: int) -> None:
    """Dump the stack to ``descriptor`` on a fatal signal, and whenever :data:`DUMP_SIGNAL` comes.

    It works while native code holds the interpreter's lock, and takes the place of handlers of the user's.
    """
    faulthandler.disable()  # enabling twice would keep handlers that were put over the first
    faulthandler.enable(descriptor, all_threads=True)
    faulthandler.register(DUMP_SIGNAL, descriptor, all_threads=False)


def is_dumped(text: str) -> bool:
    """Whether a dump is complete: the dumps of two signals follow one another, so the second one has begun."""
    return text.count(_DUMP_BEGINS) > 1


def of_dump(text: str, stderr: str = "") -> str:
    """Return the stack in a dump, most recent call first, without our outermost frames.

    A plugin that enables ``faulthandler`` itself has the dump of a fatal signal written to standard error.
    """
    if not text and _FATAL in stderr:
        text = stderr[stderr.rindex(_FATAL) :]
    before, begins, after = text.partition(_DUMP_BEGINS)
    return "\n".join(_without_ours(before + begins + after.partition(_DUMP_BEGINS)[0])).strip()


def of_error(error: BaseException) -> str:
    """Return an exception's traceback without the frames that lead to the user's code."""
    summary = traceback.TracebackException.from_exception(error)
    _trim(summary)
    return "".join(summary.format())


def _without_ours(text: str) -> Iterator[str]:
    outermost = False
    for line in text.splitlines():
        outermost = line.startswith("  ") and (outermost or line.startswith(_OUTERMOST))
        if not outermost and not line.startswith("Extension modules:"):
            yield line


def _trim(summary: traceback.TracebackException | None) -> None:
    if summary is None:
        return
    frames = list(summary.stack)
    while frames and frames[0].filename.startswith((*_IMPORT_MACHINERY, _OURS)):
        del frames[0]
    kept = [frame for frame in frames if not frame.filename.startswith(_IMPORT_MACHINERY)]
    summary.stack = traceback.StackSummary.from_list(kept)
    _trim(summary.__cause__)
    _trim(summary.__context__)
