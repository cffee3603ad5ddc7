"""Questions that will come are asked ahead, each once, and the answers are the same."""

import threading

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.children.prefetch import Prefetcher
from harness.protocol.asked import Loaded, TwinLostError
from harness.protocol.messages import Request
from harness.protocol.requests import RequestKind

PREFLIGHT = RequestKind.PREFLIGHT.value


def word(request):
    """What a request asks for: its rule, or its kind where it asks for none."""
    return request.rule or request.kind.value


LONG = 600
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
    ahead = Prefetcher(Child(log), [Child(log), Child(log)], REQUESTS)
    answers = [ahead.ask(request).reason for request in REQUESTS]
    ahead.close()
    assert answers == [request.rule for request in REQUESTS]
    assert sorted(log) == sorted({*answers, *log})
    assert set(log) - {PREFLIGHT} == set(answers)


def test_answers_are_there_before_the_questions():
    log = []
    ahead = Prefetcher(Child(["asked too late"]), [Child(log)], REQUESTS)
    for helper in ahead._helpers:
        helper.join(LONG)
    assert log == [PREFLIGHT, *(request.rule for request in reversed(REQUESTS))]
    assert ahead.ask(REQUESTS[3]).reason == "FMT-003"


def test_helpers_end_their_children():
    helper = Child([])
    Prefetcher(Child([]), [helper], REQUESTS[:1]).close()
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
    ahead = Prefetcher(Child([]), [helper], REQUESTS)
    ahead.close()
    assert set(helper.log) <= {PREFLIGHT}


def test_what_must_not_be_called_again_makes_another_question():
    log = []
    ahead = Prefetcher(Child(log), [], [])
    ahead.ask(REQUESTS[0])
    ahead.ask(Request("FMT-000", "/Bar/1", "a", shunned={"enqueue": "ENQ-001"}))
    assert log == ["FMT-000", "FMT-000"]


def test_a_run_that_ends_early_does_not_wait_for_what_was_asked_ahead(monkeypatch):
    monkeypatch.setattr("harness.controller.children.prefetch._END_SECONDS", 0)
    gate = threading.Event()
    helper = Child([], gate=gate)
    ahead = Prefetcher(Child([]), [helper], REQUESTS)
    ahead.close()
    gate.set()
    ahead._helpers[0].join(LONG)
    assert set(helper.log) <= {PREFLIGHT, REQUESTS[-1].rule}


def test_an_error_reaches_whoever_waits_for_the_answer():
    broken = Child([], {"FMT-039": RuntimeError("the stream is damaged")})
    ahead = Prefetcher(Child([]), [broken], REQUESTS)
    for helper in ahead._helpers:
        helper.join(LONG)
    with pytest.raises(RuntimeError, match="damaged"):
        ahead.ask(REQUESTS[-1])


def test_what_a_lost_helper_did_not_answer_is_asked_again_here():
    log, lost = [], Child([], {"FMT-038": TwinLostError()})
    ahead = Prefetcher(Child(log), [lost], REQUESTS)
    for helper in ahead._helpers:
        helper.join(LONG)
    assert [ahead.ask(request).reason for request in REQUESTS[37:]] == ["FMT-037", "FMT-038", "FMT-039"]
    assert lost.log == [PREFLIGHT, "FMT-039", "FMT-038"]  # and nothing is asked of it any more
    assert log == ["FMT-037", "FMT-038"]


def test_a_run_that_this_process_outlives_waits_for_its_helpers(monkeypatch):
    monkeypatch.setattr("harness.controller.children.prefetch._END_SECONDS", 0)
    gate, helper = threading.Event(), Child([])
    helper.gate = gate
    ahead = Prefetcher(Child([]), [helper], REQUESTS)
    threading.Timer(0.05, gate.set).start()
    ahead.close(entirely=True)
    assert helper.closed


def test_what_is_forgotten_is_not_kept_and_asked_again_by_whoever_wants_it():
    log = []
    ahead = Prefetcher(Child(log), [], [])
    ahead.ask(REQUESTS[0])
    ahead.forget("/Bar/1", "a")
    assert not ahead._answers
    assert ahead.ask(REQUESTS[0]).reason == "FMT-000"
    assert log == ["FMT-000", "FMT-000"]


def test_of_a_case_that_is_forgotten_nothing_more_is_asked_ahead():
    gate, log = threading.Event(), []
    mixed = [Request("FMT-001", "/Bar/1", case) for case in ("a", "b", "c")]
    ahead = Prefetcher(Child([]), [Child(log, gate=gate)], mixed)
    ahead.forget("/Bar/1", "a")
    ahead.forget("/Bar/1", "b")
    gate.set()
    ahead._helpers[0].join(LONG)
    assert log == [PREFLIGHT, "FMT-001"]
