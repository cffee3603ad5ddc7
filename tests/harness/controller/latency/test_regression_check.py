"""The gate fails what is slower, asks again where it cannot tell, and never passes what it could not compare."""

import contextlib
from types import SimpleNamespace

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.latency import regression_check as gates
from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.regression_check import OCCASIONS, ComparedQuantity, RegressionCheck
from harness.protocol.asked import Loaded
from harness.results.run_plan import CasePlan

CASE = CasePlan("rows")
KNOWN = {"plugins": [{"key": "/Bar/1", "cases": [{"name": "rows", "plain": None}]}]}


class Child:
    def __init__(self, counts=None, known=KNOWN):
        self.counts, self.known = counts or {"allocations": 1}, known

    def load(self):
        return Loaded(ok=True)

    def discover(self):
        return self.known

    def ask(self, request):
        assert request.arguments == ["counts"]
        return Answer(Kind.JUDGED, evidence=1, payload={"counts": self.counts})


class Taken:
    """Stands for the occasions of a test: each comparison gets those that come next."""

    def __init__(self, *taken):
        self.left, self.asked = list(taken), []

    def __call__(self, _sides, _quantity, count):
        self.asked.append(count)
        return [[each] for each in self.left.pop(0)]


SLOWER = [[1.1, 1.0, 1.0, 1.1]] * 8
SAME = [[1.0, 1.0, 1.0, 1.0]] * 8
UNCLEAR = [[1.0, 1.0, 1.0, 1.0], [2.0, 1.0, 1.0, 2.0], [1.0, 2.0, 2.0, 1.0]] * 4


def ask(monkeypatch, *occasions, gated=ComparedQuantity.DEVICE, candidate=None, baseline=None, device="cuda"):
    taken = Taken(*occasions)
    monkeypatch.setattr(gates, "occasions", taken)
    gate = RegressionCheck(candidate or Child(), baseline or Child(), device, 0.03)
    return str(gate.pass_through("/Bar/1", CASE, gated, 0)), taken


def test_the_same_passes(monkeypatch):
    said, taken = ask(monkeypatch, SAME)
    assert said.startswith("SAME")
    assert taken.asked == [OCCASIONS]


def test_slower_fails(monkeypatch):
    with pytest.raises(LatencyFailedError, match=r"SLOWER: \+10.0%"):
        ask(monkeypatch, SLOWER)


def test_what_is_ambiguous_is_measured_again_for_longer(monkeypatch):
    said, taken = ask(monkeypatch, UNCLEAR, UNCLEAR, SAME)
    assert said.startswith("SAME")
    assert taken.asked == [OCCASIONS, 4 * OCCASIONS, 16 * OCCASIONS]


def test_what_stays_ambiguous_is_no_pass(monkeypatch):
    with pytest.raises(LatencyUnknownError, match="AMBIGUOUS"):
        ask(monkeypatch, UNCLEAR, UNCLEAR, UNCLEAR)


class Both:
    """Stands for a duel."""

    def __init__(self):
        self.duels = 0

    @contextlib.contextmanager
    def __call__(self, _sides, _quantity):
        self.duels += 1
        yield self

    def occasion(self, rounds):
        return [[1.0] * 4] * rounds


@pytest.mark.parametrize(("gated", "duels"), [(ComparedQuantity.HOST, 8), (ComparedQuantity.DEVICE, 1)])
def test_a_host_is_asked_by_new_processes_each_time(monkeypatch, gated, duels):
    both, closed = Both(), []
    monkeypatch.setattr(gates, "duel", both)
    child = SimpleNamespace(close=lambda: closed.append(1))
    sides = dict.fromkeys(("candidate", "baseline"), (child, None))
    assert len(gates.occasions(sides, gated.quantity, 8)) == 8
    assert (both.duels, len(closed)) == (duels, 16 if duels == 8 else 0)


@pytest.mark.parametrize(
    ("known", "what"),
    [
        ({"plugins": []}, "no plugin /Bar/1; it has none"),
        ({"plugins": [{"key": "/Bar/1", "cases": [{"name": "images"}]}]}, "no case 'rows' of /Bar/1; it has images"),
    ],
)
def test_what_the_baseline_lacks_fails(monkeypatch, known, what):
    with pytest.raises(LatencyFailedError, match=what):
        ask(monkeypatch, SAME, baseline=Child(known=known))


def test_one_allocation_more_fails(monkeypatch):
    with pytest.raises(LatencyFailedError, match="allocations: 2, where it was 1"):
        ask(monkeypatch, gated=ComparedQuantity.COUNTS, candidate=Child({"allocations": 2}))


def test_equal_counts_pass(monkeypatch):
    said, _ = ask(monkeypatch, gated=ComparedQuantity.COUNTS)
    assert said == "each call asks for no more: allocations 1"


def test_a_host_cannot_compare_devices(monkeypatch):
    with pytest.raises(LatencyUnknownError, match="no GPU"):
        ask(monkeypatch, gated=ComparedQuantity.DEVICE, device="host")


@pytest.mark.parametrize("gated", [ComparedQuantity.DEVICE, ComparedQuantity.COUNTS])
def test_other_shapes_are_no_comparison(monkeypatch, gated):
    facts = {"inputs": [{"opt": [2, 4]}]}
    known = {"plugins": [{"key": "/Bar/1", "cases": [{"name": "rows", "facts": facts}]}]}
    with pytest.raises(LatencyFailedError, match=r"other shapes .* opt is \[\[2, 4\]\]; here it is \[\]"):
        ask(monkeypatch, SAME, gated=gated, baseline=Child(known=known))


@pytest.mark.parametrize("side", ["candidate", "baseline"])
def test_who_cannot_be_counted_is_named(monkeypatch, side):
    child = Child()
    child.ask = lambda _: Answer(Kind.MET, mishap=CallbackFailure("enqueue", "raised ValueError: no"))
    with pytest.raises(LatencyFailedError, match=f"the {side}: enqueue raised ValueError: no"):
        ask(monkeypatch, gated=ComparedQuantity.COUNTS, **{side: child})
