"""The gate fails what is slower, asks again where it cannot tell, and never passes what it could not compare."""

import contextlib
import json

import pytest

from harness.isolation import Loaded
from harness.latency import gate as gates
from harness.latency.gate import FIRST_ROUNDS, Gate, Gated
from harness.latency.measuring import LatencyFailedError, LatencyUnknownError
from harness.plan import CasePlan
from harness.verdict import Answer, Kind

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
        assert request.examples == ["counts"]
        return Answer(Kind.JUDGED, evidence=1, reason=json.dumps({"counts": self.counts}))


class Duels:
    """Stand for the duels of a test: each gives the rounds that come next."""

    def __init__(self, *rounds):
        self.left, self.asked = list(rounds), []

    @contextlib.contextmanager
    def __call__(self, _sides, _quantity):
        yield self

    def rounds(self, count):
        self.asked.append(count)
        return [self.left.pop(0)] * count if isinstance(self.left[0][0], float) else self.left.pop(0)


SLOWER = [1.1, 1.0, 1.0, 1.1]
SAME = [1.0, 1.0, 1.0, 1.0]
UNCLEAR = [[1.0, 1.0, 1.0, 1.0], [2.0, 1.0, 1.0, 2.0], [1.0, 2.0, 2.0, 1.0]] * 4


def ask(monkeypatch, *rounds, gated=Gated.HOST, candidate=None, baseline=None, device="host"):
    duels = Duels(*rounds)
    monkeypatch.setattr(gates, "duel", duels)
    gate = Gate(candidate or Child(), baseline or Child(), device, 0.03)
    return gate.pass_through("/Bar/1", CASE, gated, 0), duels


def test_the_same_passes(monkeypatch):
    said, duels = ask(monkeypatch, SAME)
    assert said.startswith("SAME")
    assert duels.asked == [FIRST_ROUNDS]


def test_slower_fails(monkeypatch):
    with pytest.raises(LatencyFailedError, match=r"SLOWER: \+10.0%"):
        ask(monkeypatch, SLOWER)


def test_what_is_ambiguous_is_measured_again_for_longer(monkeypatch):
    said, duels = ask(monkeypatch, UNCLEAR, UNCLEAR, SAME)
    assert said.startswith("SAME")
    assert duels.asked == [FIRST_ROUNDS, 4 * FIRST_ROUNDS, 16 * FIRST_ROUNDS]


def test_what_stays_ambiguous_is_no_pass(monkeypatch):
    with pytest.raises(LatencyUnknownError, match="AMBIGUOUS"):
        ask(monkeypatch, UNCLEAR, UNCLEAR, UNCLEAR)


@pytest.mark.parametrize(
    ("known", "what"),
    [
        ({"plugins": []}, "no plugin /Bar/1"),
        ({"plugins": [{"key": "/Bar/1", "cases": [{"name": "images"}]}]}, "no case 'rows'"),
    ],
)
def test_what_the_baseline_lacks_fails(monkeypatch, known, what):
    with pytest.raises(LatencyFailedError, match=what):
        ask(monkeypatch, SAME, baseline=Child(known=known))


def test_one_allocation_more_fails(monkeypatch):
    with pytest.raises(LatencyFailedError, match="allocations: 2, where it was 1"):
        ask(monkeypatch, gated=Gated.COUNTS, candidate=Child({"allocations": 2}))


def test_equal_counts_pass(monkeypatch):
    said, _ = ask(monkeypatch, gated=Gated.COUNTS)
    assert said == "each call asks for no more: allocations 1"


def test_a_host_cannot_compare_devices(monkeypatch):
    with pytest.raises(LatencyUnknownError, match="no GPU"):
        ask(monkeypatch, gated=Gated.DEVICE)
