"""Two children take turns through a socket; here they are threads of the test."""

import itertools
import socket

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.paired_run import BASELINE, CANDIDATE, duel
from harness.protocol import messages
from harness.protocol.latency_quantity import Quantity
from harness.protocol.messages import Request
from harness.protocol.requests import RequestKind

DONE = Answer(Kind.JUDGED, evidence=1)


class Child:
    """Gives numbers from a list, or ends as it is told."""

    def __init__(self, order, answer=DONE, *, stays=True):
        self.order, self.answer, self.stays = order, answer, stays

    def ask(self, request):
        quantity, side, address = request.arguments
        assert (request.kind, quantity) == (RequestKind.PAIRED_LATENCY, "device_hot")
        if self.answer is not DONE:
            return self.answer
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
            channel.connect(address)
            messages.send(channel.fileno(), side)
            while self.stays and (count := messages.receive(channel.fileno())):
                self.order += [side[0]] * count if count > 0 else ["new"]
                messages.send(channel.fileno(), [float(len(self.order))] * count)
        return self.answer


def both(candidate, baseline):
    return {CANDIDATE: (candidate, Request("", "/Bar/1", "rows")), BASELINE: (baseline, Request("", "", ""))}


def test_both_begin_afresh_and_turns_are_in_the_order_candidate_baseline_baseline_candidate():
    order = []
    with duel(both(Child(order), Child(order)), Quantity.DEVICE_HOT) as found:
        rounds = found.occasion(2)
    assert order == ["new", "new", *"cbbccbbc"]
    assert rounds == [[3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0]]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(Kind.NOT_RUN, reason="enqueue waits"), LatencyUnknownError),
        (Answer(Kind.MET, mishap=CallbackFailure("enqueue", "enqueue waits")), LatencyFailedError),
    ],
)
def test_a_child_that_cannot_says_why(answer, error):
    order = []
    sides = both(Child(order), Child(order, answer))
    with pytest.raises(error, match=r"the baseline: .*enqueue waits"), duel(sides, Quantity.DEVICE_HOT):
        pass


def test_a_child_that_goes_away_is_no_comparison():
    order = []
    sides = both(Child(order), Child(order, stays=False))
    with pytest.raises(LatencyFailedError, match="went away"), duel(sides, Quantity.DEVICE_HOT) as found:
        found.occasion(1)


class Waiting(Child):
    """Meets its deadline when the other one does, whether or not it was its turn; gives zeros until then."""

    def __init__(self, *, hangs=False, knocks=True):
        super().__init__([])
        self.hangs, self.knocks = hangs, knocks

    def ask(self, request):
        _, side, address = request.arguments
        if self.knocks:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
                channel.connect(address)
                messages.send(channel.fileno(), side)
                while (count := messages.receive(channel.fileno())) and not (self.hangs and count > 0):
                    messages.send(channel.fileno(), [0.0] * max(count, 0))
        return Answer(Kind.MET, mishap=CallbackFailure("enqueue", "did not return within 120 s"))


@pytest.mark.parametrize(
    ("candidate", "baseline", "who"),
    [
        (Waiting(), Waiting(hangs=True), "baseline"),
        (Waiting(hangs=True), Waiting(), "candidate"),
    ],
)
def test_who_waits_for_the_other_is_not_to_blame(candidate, baseline, who):
    sides = both(candidate, baseline)
    with pytest.raises(LatencyFailedError, match=f"the {who}: "), duel(sides, Quantity.DEVICE_HOT) as found:
        found.occasion(1)


class Gone(Child):
    """Knocks, and is gone before the other has come."""

    def ask(self, request):
        _, side, address = request.arguments
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
            channel.connect(address)
            messages.send(channel.fileno(), side)
        return Answer(Kind.MET, mishap=CallbackFailure("enqueue", "did not return within 120 s"))


def test_who_never_comes_is_to_blame():
    sides = both(Gone([]), Waiting(knocks=False))
    with pytest.raises(LatencyFailedError, match="the baseline: "), duel(sides, Quantity.DEVICE_HOT):
        pass


def test_an_occasion_that_lasts_long_has_fewer_rounds():
    order, now = [], itertools.count(step=30.0)
    with duel(both(Child(order), Child(order)), Quantity.DEVICE_HOT) as found:
        found.clock = lambda: next(now)
        rounds = found.occasion(30)
    assert len(rounds) == 3


class Broken:
    """Cannot be asked."""

    def ask(self, request):
        raise OSError(f"no child for {request.plugin}")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_child_that_cannot_be_asked_ends_the_wait():
    sides = both(Child([]), Broken())
    with pytest.raises(LatencyFailedError, match="the baseline: "), duel(sides, Quantity.DEVICE_HOT):
        pass
