"""What a child answers: the quantities of a host, from plugins of both versions; no number is judged."""

import pytest

from harness.cases.case import Case
from harness.child.latency.sampler import sampled
from harness.contract.finding import CallbackFailedError
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings, Request
from harness.protocol.requests import RequestKind
from tests.support.latency_subjects import subject_of
from tests.support.workbench import Creator, Doubler

QUANTITIES = {"host_enqueue", "host_enqueue_net"}


@pytest.fixture(scope="module", params=["bar", "bar_v3"])
def child(request):
    child = ProcessIsolation(ChildSettings(f"plugin_examples.{request.param}", path=(str(request.config.rootpath),)))
    assert child.load().ok
    yield child, {"bar": "/Bar/1", "bar_v3": "/Bar/2"}[request.param]
    child.close()


def ask(child, *what):
    isolation, plugin = child
    answer = isolation.ask(Request("", plugin, "rows", deadline=60.0).asking(RequestKind.LATENCY, *what))
    assert answer.kind.value == "judged", answer
    return answer.payload


def test_a_host_tells_of_the_host(child):
    found = ask(child, "steady", 0.05)
    assert set(found["series"]) == QUANTITIES
    assert found["facts"]["machine"].startswith("reference-runtime")
    assert found["facts"]["moved_bytes"] == 4 * (12 + 8 + 20 + 12)


@pytest.mark.parametrize("what", ["first_call", "after_deserialize", "shape_switch"])
def test_what_comes_once_is_one_sample(child, what):
    assert [len(samples) for samples in ask(child, what)["series"].values()] == [1]


def test_counts_are_the_same_every_time(child):
    counts = ask(child, "counts")["counts"]
    assert counts == ask(child, "counts")["counts"]
    assert counts["synchronizations"] == 0


class Tired(Doubler):
    """Fails once it has been warmed up."""

    calls = 0

    def enqueue(self, *arguments):
        self.calls += 1
        if self.calls > 4:
            raise ValueError("tired")
        super().enqueue(*arguments)


def test_a_call_that_fails_while_it_is_timed_has_no_latency():
    case = Case("P", inputs=({"dims": (2, 3)},))
    with (
        subject_of(Creator(lambda _: Tired()), case) as subject,
        pytest.raises(CallbackFailedError, match="enqueue raised ValueError: tired"),
    ):
        sampled(subject, "steady", 0.0)
