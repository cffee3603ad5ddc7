"""Asking ahead: while pytest waits for one answer, further children work on questions that will come.

Theory: an answer depends on the request alone, so it does not matter which child gives it, or when. Pytest's own
thread asks in the order in which the items run; helpers, each a thread with a child of its own, begin at the other
end. Each question is asked once: whoever comes second waits for the answer of the first. Of a case whose canonical
drive ended badly nothing is asked ahead, because then it matters which callbacks must not be called again.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from harness.contract.verdict import Answer, Kind
from harness.controller.children.device_routing import GpuWithHostFallback
from harness.protocol.requests import RequestKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.protocol.asked import Asking, Isolation
    from harness.protocol.messages import Request

    Case = tuple[str, str]
    Key = tuple[str, int, tuple[tuple[str, str], ...]]

#: Seconds that helpers get to end when the run does; whatever lives longer dies with pytest.
_END_SECONDS = 1.0


class Prefetcher:
    """Answers requests, some of them before they are made."""

    def __init__(
        self,
        own: Asking,
        make: Callable[[], Isolation],
        expected: Iterable[Request],
        *,
        helpers: int,
        together: int = 1,
    ) -> None:
        """Start the helpers; a GPU's share a process among so many questions asked ``together``."""
        self._own = own
        self._together = together
        self._expected = collections.deque(expected)
        self._seed = self._expected[0].seed if self._expected else 0  # of canonical drives, as the runner asks for them
        self._answers: dict[Case, dict[Key, Future[Answer]]] = collections.defaultdict(dict)
        self._done: set[Case] = set()
        self._lock = threading.Lock()
        self._helpers = [threading.Thread(target=self._help, args=(make(),), daemon=True) for _ in range(helpers)]
        for helper in self._helpers:
            helper.start()

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request; with examples it is none of those that were expected."""
        if request.examples or request.kind not in {RequestKind.RULE, RequestKind.PREFLIGHT}:
            return self._own.ask(request)
        return self._answer(request, self._own).result()

    def forget(self, plugin: str, case: str) -> None:
        """Drop the answers about a case, and ask nothing more about it ahead."""
        with self._lock:
            self._done.add((plugin, case))
            self._answers.pop((plugin, case), None)

    def close(self, *, entirely: bool = False) -> None:
        """Ask nothing more ahead; ``entirely``, and wait for helpers to end, as long as an answer takes them."""
        self._expected.clear()
        for helper in self._helpers:
            helper.join(None if entirely else _END_SECONDS)

    def _help(self, child: Isolation) -> None:
        try:
            if child.load().ok:
                self._work(child)
        finally:
            child.close()

    def _work(self, child: Isolation) -> None:
        while requests := self._next():
            drive = self._answer(dataclasses.replace(requests[0].asking(RequestKind.PREFLIGHT), seed=self._seed), child)
            if drive.exception() is None and drive.result().kind is not Kind.MET:
                self._answer_all(requests, child)

    def _next(self) -> list[Request]:
        """Return the next questions of one case, as many as are asked together; none where all are taken."""
        taken: list[Request] = []
        with self._lock:
            while self._expected and len(taken) < self._together and _is_like(self._expected[-1], taken):
                taken.append(self._expected.pop())
                if _case(taken[-1]) in self._done:
                    taken.pop()
        return taken

    def _answer_all(self, requests: list[Request], child: Isolation) -> None:
        """Answer what nobody has asked yet; what is not answered together is asked alone."""
        futures = [(request, *self._future(request)) for request in requests]
        claimed = [(request, future) for request, future, is_ours in futures if is_ours]
        asked = [request for request, _ in claimed]
        with _passing_on(future for _, future in claimed):
            together = child.ask_all(asked) if isinstance(child, GpuWithHostFallback) and asked else []
            for index, (request, future) in enumerate(claimed):
                future.set_result(together[index] if index < len(together) else child.ask(request))

    def _answer(self, request: Request, asked: Asking) -> Future[Answer]:
        future, is_ours = self._future(request)
        if not is_ours:
            return future
        with _passing_on([future]):
            future.set_result(asked.ask(request))
        return future

    def _future(self, request: Request) -> tuple[Future[Answer], bool]:
        """Return where the answer to a request is, and whether it is for the caller to put it there."""
        with self._lock:
            answers = self._answers[_case(request)]
            is_new = _key(request) not in answers
            return answers.setdefault(_key(request), Future()), is_new


@contextlib.contextmanager
def _passing_on(futures: Iterable[Future[Answer]]) -> Iterator[None]:
    """Hand an exception to whoever wants the answers: it is not for a helper."""
    waiting = list(futures)
    try:
        yield
    except BaseException as error:  # noqa: BLE001 - as above
        for future in waiting:
            if not future.done():
                future.set_exception(error)


def _case(request: Request) -> Case:
    return request.plugin, request.case


def _key(request: Request) -> Key:
    return request.rule, request.seed, tuple(sorted(request.shunned.items()))


def _is_like(request: Request, others: list[Request]) -> bool:
    return all(_case(request) == _case(other) for other in others)
