"""Ask ahead: while pytest waits for one answer, other children answer requests that will follow.

Theory: an answer depends on the request alone, so it does not matter which process gives it, or when. Pytest's own
    thread asks in the order in which the items run. Helpers, each a thread with a twin of the child, begin with the
    last item. Each request is made once: if a thread has made it, other threads wait for the answer. If the canonical
    drive of a case fails, helpers ask no rule of this case. Its requests must list the callbacks not to call again. If
    the process of a helper dies, pytest's own thread makes the helper's request again.
"""

from __future__ import annotations

import collections
import dataclasses
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from harness.contract.verdict import Kind
from harness.protocol.asked import TwinLostError
from harness.protocol.requests import REPEATABLE, RequestKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.contract.verdict import Answer
    from harness.protocol.asked import Asking, Loading
    from harness.protocol.messages import Request

    Case = tuple[str, str]
    Key = tuple[str, int, tuple[tuple[str, str], ...], tuple[str, ...]]

#: Seconds that a helper gets to end when the run ends; a helper that takes longer ends with pytest.
_END_SECONDS = 1.0


class Prefetcher:
    """Answers requests, some of them before they are made."""

    def __init__(self, own: Asking, helpers: Iterable[Loading], expected: Iterable[Request]) -> None:
        """Start a thread for each helper."""
        self._own = own
        self._expected = collections.deque(expected)
        self._seed = self._expected[0].seed if self._expected else 0  # of canonical drives: the run's first
        self._answers: dict[Case, dict[Key, Future[Answer]]] = collections.defaultdict(dict)
        self._done: set[Case] = set()
        self._lock = threading.Lock()
        self._helpers = [threading.Thread(target=self._help, args=(helper,), daemon=True) for helper in helpers]
        for helper in self._helpers:
            helper.start()

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request; requests with examples are never made ahead."""
        if request.examples or request.kind not in REPEATABLE:
            return self._own.ask(request)
        try:
            return self._answer(request, self._own).result()
        except TwinLostError:
            return self._own.ask(request)

    def forget(self, plugin: str, case: str) -> None:
        """Drop the answers about a case, and ask nothing more about this case ahead."""
        with self._lock:
            self._done.add((plugin, case))
            self._answers.pop((plugin, case), None)

    def close(self, *, entirely: bool = False) -> None:
        """Ask nothing more ahead, and wait a second for each helper to end; ``entirely`` waits without a limit."""
        self._expected.clear()
        for helper in self._helpers:
            helper.join(None if entirely else _END_SECONDS)

    def _help(self, child: Loading) -> None:
        try:
            if child.load().ok:
                self._work(child)
        finally:
            child.close()

    def _work(self, child: Loading) -> None:
        while (request := self._next()) is not None:
            preflight = dataclasses.replace(request.asking(RequestKind.PREFLIGHT), seed=self._seed)
            answer = self._answer(preflight, child)
            if answer.exception() is None and answer.result().kind is not Kind.MET:
                answer = self._answer(request, child)
            if answer.exception() is not None:
                return

    def _next(self) -> Request | None:
        """Return the last expected request that no helper has taken; None if all are taken."""
        with self._lock:
            while self._expected:
                request = self._expected.pop()
                if _case(request) not in self._done:
                    return request
        return None

    def _answer(self, request: Request, target: Asking) -> Future[Answer]:
        future, is_ours = self._future(request)
        if not is_ours:
            return future
        try:
            future.set_result(target.ask(request))
        except BaseException as error:  # noqa: BLE001 - the future raises it where the answer is read
            future.set_exception(error)
        return future

    def _future(self, request: Request) -> tuple[Future[Answer], bool]:
        """Return the future of a request's answer, and whether the caller must ask for the answer and set it."""
        with self._lock:
            answers = self._answers[_case(request)]
            is_new = _key(request) not in answers
            return answers.setdefault(_key(request), Future()), is_new


def _case(request: Request) -> Case:
    return request.plugin, request.case


def _key(request: Request) -> Key:
    return request.rule, request.seed, tuple(sorted(request.shunned.items())), tuple(request.tolerated)
