"""Measure what a fuzz rule's examples reach in a plugin: pairs of consecutive lines, and how calls end.

Theory. A search ends if examples reach no new part of the plugin. So the measure must depend only on the examples. It
consists of names and line numbers, without addresses and times. Calls for facts that rules share do not count, since
another rule may have made them before. Lines are traced only while a callback runs. A module that the plugin imports
from elsewhere, such as NumPy, is not its code. No line is traced if the plugin is not written in Python, or if another
tool traces it. Then the plugin counts as one that keeps state.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import TYPE_CHECKING, Any

from harness.checks.observation.kept_state import KeptState
from harness.checks.observation.own_code import CodeOrigin, OwnCode
from harness.contract.language import Language
from harness.protocol.requests import Watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import CallOutcome, Event


@contextlib.contextmanager
def reaching(subject: Subject, watched: Watched) -> Iterator[Reach | None]:
    """Watch the plugin's calls in a block, and yield the watcher; None for `Watched.NOTHING`."""
    if watched is Watched.NOTHING:
        yield None
        return
    of_cpp = subject.creator.objects if subject.language is Language.CPP else None
    with contextlib.ExitStack() as until:
        kept = None
        if watched is Watched.STATE:
            kept = until.enter_context(of_cpp.kept_memory()) if of_cpp else KeptState(subject.creator)
            subject.memory[KeptState] = kept
        reach = CompiledReach(subject, kept, of_cpp.lines) if of_cpp else Reach(subject, kept)
        until.callback(reach.close)
        subject.gate.observers.append(reach)
        until.callback(subject.gate.observers.remove, reach)
        yield reach


class Reach:
    """Observer of the gate that collects what callbacks reach for the first time, from example to example."""

    def __init__(self, subject: Subject, kept: KeptState | None = None) -> None:
        creator = subject.creator
        self._facts = subject.facts
        self.kept = kept
        self._objects: dict[type, Any] = {type(creator): creator}
        self._own = OwnCode(creator)
        self._known: set[tuple[Any, ...]] = set()
        self._fresh: list[str] = []
        self._is_own: dict[CodeType, bool] = {}
        self.lines: dict[CodeType, set[tuple[int, int]]] = {}
        self._thread = threading.get_ident()
        self._depth = 0

    @property
    def keeps(self) -> bool:
        """Return whether the plugin keeps state from call to call, or may, because none of its lines was traced."""
        return not self.lines or (self.kept is not None and self.kept.may_have_changed)

    def taken(self) -> tuple[str, ...]:
        """Return what was reached for the first time since the last call of this method."""
        fresh, self._fresh = tuple(self._fresh), []
        return fresh

    def before(self, event: Event) -> None:
        """Begin to trace a callback."""
        if self._facts.is_asking:
            return
        if self.kept:
            self.kept.begin(event.receiver)
        if threading.get_ident() != self._thread:
            return
        if type(event.receiver) not in self._objects:
            self._objects[type(event.receiver)] = event.receiver
            self._own = OwnCode(*self._objects.values())
        self._depth += 1
        if self._depth == 1:
            self._begin_tracing()

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Note how the callback ended."""
        if self._facts.is_asking:
            return
        if threading.get_ident() == self._thread:
            self._depth -= 1
            if self._depth == 0 and sys.gettrace() == self._enter:
                sys.settrace(None)
        if self.kept:
            self.kept.end(event.receiver)
        ended = type(outcome.error).__name__ if outcome.error else type(outcome.value).__name__
        self.note(event.method, ended)

    def close(self) -> None:
        """End the watching; only `CompiledReach` has something to end."""

    def _begin_tracing(self) -> None:
        if sys.gettrace() is None:
            sys.settrace(self._enter)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code not in self._is_own:
            self._is_own[code] = self._own.origin(frame) is CodeOrigin.OWN
            if self._is_own[code] and self.kept:
                self.kept.add(frame.f_globals)
        return _Lines(self, code).step if self._is_own[code] else None

    def note(self, *what: Any) -> None:
        """Add something that was reached, if it is new."""
        if what not in self._known:
            self._known.add(what)
            self._fresh.append(" ".join(map(str, what)))


class CompiledReach(Reach):
    """The same for a library in C++: its lines are seen if it has debug information."""

    def __init__(self, subject: Subject, kept: Any, lines: Any) -> None:
        super().__init__(subject, kept)
        self._lines = lines
        self._is_seen = lines.begin()

    @property
    def keeps(self) -> bool:
        """Return whether the library keeps state from call to call, or may, because its lines cannot be seen."""
        return not self._is_seen or (self.kept is not None and self.kept.may_have_changed)

    def taken(self) -> tuple[str, ...]:
        """Return what was reached for the first time since the last call of this method."""
        self._note_lines()
        return super().taken()

    def before(self, event: Event) -> None:
        """Begin to watch a callback."""
        if self._facts.is_asking:
            self._note_lines()
        super().before(event)

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Note how the callback ended; lines that ran for a shared fact do not count."""
        if self._facts.is_asking:
            self._lines.forget()
        super().after(event, outcome)

    def close(self) -> None:
        """End the watching of lines."""
        if self._is_seen:
            self._lines.end()

    def _note_lines(self) -> None:
        for line in self._lines.taken():
            self.note(line)

    def _begin_tracing(self) -> None:
        """Do nothing: the Python lines that run here are this project's."""


class _Lines:
    """Traces one call of a plugin's own function, line by line."""

    def __init__(self, reach: Reach, code: CodeType) -> None:
        self._reach = reach
        self._look = reach.kept.look if reach.kept else None
        self._known = reach.lines.setdefault(code, set())
        self._last = 0

    def step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        """Note the line with the line before it; serves as Python's local trace function."""
        if event == "line":
            line = frame.f_lineno
            if (self._last, line) not in self._known:
                self._known.add((self._last, line))
                self._reach.note(frame.f_code.co_filename, frame.f_code.co_name, self._last, line)
            self._last = line
            if self._look is not None:
                self._look()
        return self.step
