"""Write stacks as text, with the user's frames only: dumps of a dying or overdue process, and tracebacks."""

from __future__ import annotations

import faulthandler
import importlib
import re
import signal
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from harness.process.source_lines import with_source_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: The signal that makes a process dump its stack: a real-time signal, since these queue, and plugins hardly use them.
DUMP_SIGNAL = signal.SIGRTMAX - 4
#: The folders of this project's packages.
_PACKAGES = tuple(f"{Path(__file__).parents[2] / name}/" for name in ("harness", "reference_runtime", "conformance"))
_STANDARD_LIBRARY = f"{Path(traceback.__file__).parent}/"
_FATAL = "Fatal Python error:"
_DUMP_BEGINS = "Stack (most recent call first):"
_OURS = f"{Path(__file__).parents[1]}/"
_IMPORT_MACHINERY = ("<frozen importlib", importlib.__file__)
#: Files that are not the user's.
_NOT_THE_USERS = (*_PACKAGES, *_IMPORT_MACHINERY)
_INSTALLED = ("/site-packages/", "/dist-packages/")
#: A frame of a traceback.
_FRAME = re.compile(r'^ *File "([^"\n]+)", line (\d+)', re.MULTILINE)
#: The harness's frames that call the code under test: from these outwards, all stacks are the same.
_OUTERMOST = tuple(f'  File "{_OURS}{name}.py"' for name in ("child/task", "child/user_module", "applications/running"))


class _Process:
    """The descriptor that this process's stacks are dumped to, and functions that arm further writers of dumps."""

    descriptor = 2
    others: ClassVar[list[Callable[[int], None]]] = []


def arm(descriptor: int) -> None:
    """Dump the stack to ``descriptor`` on a fatal signal, and whenever :data:`DUMP_SIGNAL` comes.

    This works even while native code holds the interpreter's lock. It replaces handlers that the user's code has set.
    """
    faulthandler.disable()  # enabling twice would keep handlers that were put over the first
    faulthandler.enable(descriptor, all_threads=True)
    faulthandler.register(DUMP_SIGNAL, descriptor, all_threads=False)
    _Process.descriptor = descriptor
    for other in _Process.others:
        other(descriptor)


def arm_also(other: Callable[[int], None]) -> None:
    """Call a function with the descriptor, now and after each :func:`arm`, to arm a further writer of dumps.

    Its handlers are set last, so they run first.
    """
    _Process.others.append(other)
    other(_Process.descriptor)


def is_dumped(text: str) -> bool:
    """Return whether the first dump in a text is complete, which is so once the second dump has begun."""
    return text.count(_DUMP_BEGINS) > 1


def of_dump(text: str, stderr: str = "") -> str:
    """Return the stack in a dump, most recent call first, without the harness's outermost frames.

    If a plugin has enabled ``faulthandler`` itself, the dump of a fatal signal is in ``stderr``.
    """
    if not text and _FATAL in stderr:
        text = stderr[stderr.rindex(_FATAL) :]
    native = text.partition(_FATAL)[0].strip()
    if native and _FATAL in text:  # the frames of a C++ library come first; all Python frames are the harness's
        return with_source_lines(native)
    before, begins, after = text.partition(_DUMP_BEGINS)
    return "\n".join(_without_ours(before + begins + after.partition(_DUMP_BEGINS)[0])).strip()


def of_error(error: BaseException) -> str:
    """Return an exception's traceback without the frames of this project and of Python's import system."""
    summary = traceback.TracebackException.from_exception(error)
    _trim(summary)
    return "".join(summary.format())


def innermost(text: str) -> str:
    """Return the innermost line of the user's code in a traceback, such as ``plugin.py:12``; empty if it has none.

    A line of an installed package counts only if there is no other line.
    """
    file, _, number = _innermost(_FRAME.findall(text)).rpartition(":")
    return f"{Path(file).name}:{number}" if file else ""


def raised_at(error: BaseException) -> str:
    """Return the innermost line of the user's code in an exception's traceback, as ``path:12``; empty if it has none.

    A line of an installed package counts only if there is no other line.
    """
    return _innermost([(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)])


def leads_through_the_users_code(error: BaseException) -> bool:
    """Return whether the traceback of an exception passes through the user's code."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return any(map(_is_the_users, files))


def _innermost(places: Iterable[tuple[str, object]]) -> str:
    users = [(file, number) for file, number in places if _is_the_users(file)]
    own = [place for place in users if not _is_installed(place[0])] or users
    return f"{own[-1][0]}:{own[-1][1]}" if own else ""


def _is_the_users(file: str) -> bool:
    return not file.startswith(_NOT_THE_USERS) and (not file.startswith(_STANDARD_LIBRARY) or _is_installed(file))


def _is_installed(file: str) -> bool:
    return any(folder in file for folder in _INSTALLED)


def _without_ours(text: str) -> Iterator[str]:
    outermost = False
    for line in text.splitlines():
        outermost = line.startswith("  ") and (outermost or line.startswith(_OUTERMOST))
        if not outermost and not line.startswith("Extension modules:"):
            yield line


def _trim(summary: traceback.TracebackException | None) -> None:
    if summary is None:
        return
    kept = [frame for frame in summary.stack if not frame.filename.startswith(_NOT_THE_USERS)]
    summary.stack = traceback.StackSummary.from_list(kept)
    _trim(summary.__cause__)
    _trim(summary.__context__)
