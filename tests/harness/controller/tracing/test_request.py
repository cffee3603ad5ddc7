"""A trace is asked for, and whatever ends that, what was written is taken."""

import json
from pathlib import Path

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.tracing.request import missing, trace
from harness.protocol.asked import IsolationError
from harness.protocol.messages import Request
from harness.protocol.requests import RequestKind
from tests.harness.controller.tracing.test_read import call, end

REQUEST = Request("", "/P/1", "case", seed=7)


def answering(answer, *records):
    def ask(request):
        assert (request.kind, request.plugin, request.seed) == (RequestKind.TRACE, "/P/1", 7)
        Path(request.arguments[0]).write_text("".join(f"{json.dumps(record)}\n" for record in records))
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask


@pytest.mark.parametrize(
    ("answer", "status", "note"),
    [
        (Answer(Kind.JUDGED, evidence=1), "complete", ""),
        (Answer(Kind.JUDGED, evidence=1, payload="no plan"), "partial", "the drive stopped: no plan"),
        (Answer(Kind.MET, mishap=CallbackFailure("enqueue", "died by SIGSEGV")), "partial", "enqueue died by SIGSEGV"),
        (Answer(Kind.BROKEN, reason="a traceback"), "partial", "the drive stopped: a traceback"),
        (IsolationError("no child"), "partial", "the drive could not be made: no child"),
    ],
)
def test_what_was_written_is_taken_however_it_ended(answer, status, note):
    told = trace(answering(answer, call(1), end(1)), REQUEST)
    assert (told["status"], told["note"], len(told["calls"])) == (status, note, 1)


def test_without_a_call_there_is_no_trace():
    told = trace(answering(Answer(Kind.MET, mishap=CallbackFailure("create_plugin", "raised ValueError"))), REQUEST)
    assert told == missing("create_plugin raised ValueError")
    assert told["status"] == "missing"
