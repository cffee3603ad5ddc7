"""Asking ahead: while pytest waits for one answer, further children work on questions that will come.

Theory: an answer depends on the request alone, so it does not matter which child gives it, or when. Pytest's own
thread asks in the order in which the items run; helpers, each a thread with a child of its own, begin at the other
end. Each question is asked once: whoever comes second waits for the answer of the first. Of a case whose canonical
drive ended badly nothing is asked ahead, because then it matters which callbacks must not be called again.
"""

from __future__ import annotations

import collections
import dataclasses
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from harness.runner import PREFLIGHT
from harness.verdict import Answer, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from harness.exchange import Request
    from harness.isolation import Isolation
    from harness.runner import Asked

    Key = tuple[str, str, str, int, tuple[tuple[str, str], ...]]

#: Seconds that helpers get to end when the run does; whatever lives longer dies with pytest.
_END_SECONDS = 1.0


class Ahead:
    """Answers requests, some of them before they are made."""

    def __init__(self, own: Asked, make: Callable[[], Isolation], expected: Iterable[Request], *, helpers: int) -> None:
        self._own = own
        self._expected = collections.deque(expected)
        self._seed = self._expected[0].seed if self._expected else 0  # of canonical drives, as the runner asks for them
        self._answers: dict[Key, Future[Answer]] = {}
        self._lock = threading.Lock()
        self._helpers = [threading.Thread(target=self._help, args=(make(),), daemon=True) for _ in range(helpers)]
        for helper in self._helpers:
            helper.start()

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request; with examples it is none of those that were expected."""
        if request.examples:
            return self._own.ask(request)
        return self._answer(request, self._own).result()

    def close(self) -> None:
        """Ask nothing more ahead."""
        self._expected.clear()
        for helper in self._helpers:
            helper.join(_END_SECONDS)

    def _help(self, child: Isolation) -> None:
        try:
            if child.load().ok:
                self._work(child)
        finally:
            child.close()

    def _work(self, child: Isolation) -> None:
        while self._expected:
            try:
                request = self._expected.pop()
            except IndexError:  # another helper was faster
                return
            drive = self._answer(dataclasses.replace(request, rule=PREFLIGHT, seed=self._seed), child)
            if drive.exception() is None and drive.result().kind is not Kind.MET:
                self._answer(request, child)

    def _answer(self, request: Request, asked: Asked) -> Future[Answer]:
        key = (request.plugin, request.case, request.rule, request.seed, tuple(sorted(request.shunned.items())))
        with self._lock:
            is_first = key not in self._answers
            future = self._answers.setdefault(key, Future())
        if is_first:
            try:
                future.set_result(asked.ask(request))
            except BaseException as error:  # noqa: BLE001 - it is for whoever wants the answer, not for a helper
                future.set_exception(error)
        return future
