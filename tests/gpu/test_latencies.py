"""Latencies on a GPU: which quantities there are, why some are not, and what is left behind; no number is judged."""

import pytest

from harness.controller.children.isolation import ProcessIsolation
from harness.process import gpus
from harness.protocol.messages import ChildSettings, Request
from harness.protocol.requests import RequestKind
from tests.gpu import alone

pytestmark = pytest.mark.skipif(not gpus.usable(), reason="CuPy finds no GPU here")

OF_A_DEVICE = {"device_hot", "device_hot_net", "device_cold", "device_cold_net"}


@pytest.fixture
def ask(request):
    children = []

    def answered(module, plugin, case, what):
        settings = ChildSettings(f"plugin_examples.{module}", path=(str(request.config.rootpath),), device="cuda")
        children.append(ProcessIsolation(settings))
        answer = children[-1].ask(Request("", plugin, case, deadline=60.0).asking(RequestKind.LATENCY, what))
        assert answer.kind.value == "judged", answer.reason
        return answer.payload

    yield answered
    for child in children:
        child.close()


def test_a_gpu_tells_of_the_device_too(ask):
    found = ask("bar", "/Bar/1", "rows", "steady")
    assert set(found["series"]) == OF_A_DEVICE | {"host_enqueue", "host_enqueue_net"}
    assert found["methods"]["device_hot"].startswith("graph")
    assert found["facts"]["moved_bytes"] == 208


def test_what_waits_for_its_stream_has_no_latency_of_a_device(ask):
    found = ask("faulty.execution.enqueue_synchronizes", "/Scale/1", "dynamic", "steady")
    assert set(found["missing"]) == OF_A_DEVICE
    assert "waits for its stream" in found["missing"]["device_hot"]


def test_counts_are_exact(ask):
    first, second = (ask("bar", "/Bar/1", "rows", "counts")["counts"] for _ in range(2))
    assert first == second
    assert (first["launches_and_copies"], first["allocations"], first["synchronizations"]) == (3, 0, 0)


@alone.MEASURES_THE_WHOLE_GPU
def test_memory_is_given_back(ask):
    runtime = pytest.importorskip("cupy").cuda.runtime
    runtime.free(0)
    before = runtime.memGetInfo()[0]
    ask("bar", "/Bar/1", "rows", "steady")
    assert runtime.memGetInfo()[0] == before
