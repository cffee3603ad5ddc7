"""Questions that will come are asked ahead, each once, and the answers are the same."""

import threading

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.children.device_routing import GpuWithHostFallback
from harness.controller.children.prefetch import Prefetcher
from harness.protocol.asked import IsolationError, Loaded
from harness.protocol.messages import Request
from harness.protocol.requests import RequestKind

PREFLIGHT = RequestKind.PREFLIGHT.value


def word(request):
    """What a request asks for: its rule, or its kind where it asks for none."""
    return request.rule or request.kind.value


LONG = 60
REQUESTS = [Request(f"FMT-{number:03}", "/Bar/1", "a") for number in range(40)]


class Child:
    """Answers every request with its rule, and keeps a record for all children."""

    def __init__(self, log, answers=None, ok=True, gate=None):  # noqa: FBT002 - a test's own
        self.log, self.answers, self.ok, self.gate = log, answers or {}, ok, gate
        self.closed = False

    def load(self):
        return Loaded(ok=self.ok)

    def ask(self, request):
        if self.gate:
            self.gate.wait(LONG)
        self.log.append(word(request))
        answer = self.answers.get(word(request), Answer(Kind.JUDGED, evidence=1, reason=request.rule))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        self.closed = True


def test_each_question_is_asked_once_whoever_asks():
    log = []
    ahead = Prefetcher(Child(log), lambda: Child(log), REQUESTS, helpers=2)
    answers = [ahead.ask(request).reason for request in REQUESTS]
    ahead.close()
    assert answers == [request.rule for request in REQUESTS]
    assert sorted(log) == sorted({*answers, *log})
    assert set(log) - {PREFLIGHT} == set(answers)


def test_answers_are_there_before_the_questions():
    log = []
    ahead = Prefetcher(Child(["asked too late"]), lambda: Child(log), REQUESTS, helpers=1)
    for helper in ahead._helpers:
        helper.join(LONG)
    assert log == [PREFLIGHT, *(request.rule for request in reversed(REQUESTS))]
    assert ahead.ask(REQUESTS[3]).reason == "FMT-003"


def test_helpers_end_their_children():
    helper = Child([])
    Prefetcher(Child([]), lambda: helper, REQUESTS[:1], helpers=1).close()
    assert helper.closed


@pytest.mark.parametrize(
    "helper",
    [
        Child([], {PREFLIGHT: Answer(Kind.MET, mishap=CallbackFailure("enqueue", "died by SIGSEGV"))}),
        Child([], ok=False),
    ],
    ids=["the drive died", "the import failed"],
)
def test_nothing_is_asked_ahead_where_the_answer_may_differ(helper):
    ahead = Prefetcher(Child([]), lambda: helper, REQUESTS, helpers=1)
    ahead.close()
    assert set(helper.log) <= {PREFLIGHT}


def test_what_must_not_be_called_again_makes_another_question():
    log = []
    ahead = Prefetcher(Child(log), lambda: Child(log), [], helpers=0)
    ahead.ask(REQUESTS[0])
    ahead.ask(Request("FMT-000", "/Bar/1", "a", shunned={"enqueue": "ENQ-001"}))
    assert log == ["FMT-000", "FMT-000"]


def test_a_run_that_ends_early_does_not_wait_for_what_was_asked_ahead(monkeypatch):
    monkeypatch.setattr("harness.controller.children.prefetch._END_SECONDS", 0)
    gate = threading.Event()
    helper = Child([], gate=gate)
    ahead = Prefetcher(Child([]), lambda: helper, REQUESTS, helpers=1)
    ahead.close()
    gate.set()
    ahead._helpers[0].join(LONG)
    assert set(helper.log) <= {PREFLIGHT, REQUESTS[-1].rule}


def test_an_error_reaches_whoever_waits_for_the_answer():
    broken = Child([], {"FMT-039": RuntimeError("the stream is damaged")})
    ahead = Prefetcher(Child([]), lambda: broken, REQUESTS, helpers=1)
    for helper in ahead._helpers:
        helper.join(LONG)
    with pytest.raises(RuntimeError, match="damaged"):
        ahead.ask(REQUESTS[-1])


class Together(Child, GpuWithHostFallback):
    """Answers the first of several requests together."""

    def __init__(self, log, answered):
        super().__init__(log)
        self.answered = answered

    def ask_all(self, requests):
        self.log.append([request.rule for request in requests])
        return [Answer(Kind.JUDGED, reason=f"together {request.rule}") for request in requests][: self.answered]


def test_what_is_not_answered_together_is_asked_alone():
    log = []
    ahead = Prefetcher(Child([]), lambda: Together(log, 2), REQUESTS[:4], helpers=1, together=4)
    for helper in ahead._helpers:
        helper.join(LONG)
    assert log == [PREFLIGHT, ["FMT-003", "FMT-002", "FMT-001", "FMT-000"], "FMT-001", "FMT-000"]
    assert [ahead.ask(request).reason for request in REQUESTS[:4]] == [
        "FMT-000",
        "FMT-001",
        "together FMT-002",
        "together FMT-003",
    ]


def test_questions_of_different_cases_are_not_asked_together():
    log = []
    mixed = [Request("FMT-001", "/Bar/1", "a"), Request("FMT-001", "/Bar/1", "b")]
    ahead = Prefetcher(Child([]), lambda: Together(log, 9), mixed, helpers=1, together=4)
    for helper in ahead._helpers:
        helper.join(LONG)
    assert [each for each in log if isinstance(each, list)] == [["FMT-001"], ["FMT-001"]]


def test_an_end_of_the_child_while_several_are_asked_reaches_whoever_wants_an_answer():
    class Broken(Together):
        def ask_all(self, _requests):
            raise IsolationError("gone")

    ahead = Prefetcher(Child([]), lambda: Broken([], 0), REQUESTS[:2], helpers=1, together=4)
    for helper in ahead._helpers:
        helper.join(LONG)
    with pytest.raises(IsolationError, match="gone"):
        ahead.ask(REQUESTS[0])


def test_a_run_that_this_process_outlives_waits_for_its_helpers(monkeypatch):
    monkeypatch.setattr("harness.controller.children.prefetch._END_SECONDS", 0)
    gate, helper = threading.Event(), Child([])
    helper.gate = gate
    ahead = Prefetcher(Child([]), lambda: helper, REQUESTS, helpers=1)
    threading.Timer(0.05, gate.set).start()
    ahead.close(entirely=True)
    assert helper.closed


def test_what_is_forgotten_is_not_kept_and_asked_again_by_whoever_wants_it():
    log = []
    ahead = Prefetcher(Child(log), lambda: Child(log), [], helpers=0)
    ahead.ask(REQUESTS[0])
    ahead.forget("/Bar/1", "a")
    assert not ahead._answers
    assert ahead.ask(REQUESTS[0]).reason == "FMT-000"
    assert log == ["FMT-000", "FMT-000"]


def test_of_a_case_that_is_forgotten_nothing_more_is_asked_ahead():
    gate, log = threading.Event(), []
    mixed = [Request("FMT-001", "/Bar/1", case) for case in ("a", "b", "c")]
    ahead = Prefetcher(Child([]), lambda: Child(log, gate=gate), mixed, helpers=1)
    ahead.forget("/Bar/1", "a")
    ahead.forget("/Bar/1", "b")
    gate.set()
    ahead._helpers[0].join(LONG)
    assert log == [PREFLIGHT, "FMT-001"]
