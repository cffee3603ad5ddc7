"""Questions that will come are asked ahead, each once, and the answers are the same."""

import threading

import pytest

from harness.ahead import Ahead
from harness.exchange import Request
from harness.finding import Mishap
from harness.isolation import Loaded
from harness.runner import PREFLIGHT
from harness.verdict import Answer, Kind

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
        self.log.append(request.rule)
        answer = self.answers.get(request.rule, Answer(Kind.JUDGED, evidence=1, reason=request.rule))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        self.closed = True


def test_each_question_is_asked_once_whoever_asks():
    log = []
    ahead = Ahead(Child(log), lambda: Child(log), REQUESTS, helpers=2)
    answers = [ahead.ask(request).reason for request in REQUESTS]
    ahead.close()
    assert answers == [request.rule for request in REQUESTS]
    assert sorted(log) == sorted({*answers, *log})
    assert set(log) - {PREFLIGHT} == set(answers)


def test_answers_are_there_before_the_questions():
    log = []
    ahead = Ahead(Child(["asked too late"]), lambda: Child(log), REQUESTS, helpers=1)
    for helper in ahead._helpers:
        helper.join(LONG)
    assert log == [PREFLIGHT, *(request.rule for request in reversed(REQUESTS))]
    assert ahead.ask(REQUESTS[3]).reason == "FMT-003"


def test_helpers_end_their_children():
    helper = Child([])
    Ahead(Child([]), lambda: helper, REQUESTS[:1], helpers=1).close()
    assert helper.closed


@pytest.mark.parametrize(
    "helper",
    [
        Child([], {PREFLIGHT: Answer(Kind.MET, mishap=Mishap("enqueue", "died by SIGSEGV"))}),
        Child([], ok=False),
    ],
    ids=["the drive died", "the import failed"],
)
def test_nothing_is_asked_ahead_where_the_answer_may_differ(helper):
    ahead = Ahead(Child([]), lambda: helper, REQUESTS, helpers=1)
    ahead.close()
    assert set(helper.log) <= {PREFLIGHT}


def test_what_must_not_be_called_again_makes_another_question():
    log = []
    ahead = Ahead(Child(log), lambda: Child(log), [], helpers=0)
    ahead.ask(REQUESTS[0])
    ahead.ask(Request("FMT-000", "/Bar/1", "a", shunned={"enqueue": "ENQ-001"}))
    assert log == ["FMT-000", "FMT-000"]


def test_a_run_that_ends_early_does_not_wait_for_what_was_asked_ahead(monkeypatch):
    monkeypatch.setattr("harness.ahead._END_SECONDS", 0)
    gate = threading.Event()
    helper = Child([], gate=gate)
    ahead = Ahead(Child([]), lambda: helper, REQUESTS, helpers=1)
    ahead.close()
    gate.set()
    ahead._helpers[0].join(LONG)
    assert set(helper.log) <= {PREFLIGHT, REQUESTS[-1].rule}


def test_an_error_reaches_whoever_waits_for_the_answer():
    broken = Child([], {"FMT-039": RuntimeError("the stream is damaged")})
    ahead = Ahead(Child([]), lambda: broken, REQUESTS, helpers=1)
    for helper in ahead._helpers:
        helper.join(LONG)
    with pytest.raises(RuntimeError, match="damaged"):
        ahead.ask(REQUESTS[-1])
