"""The host is timed in short blocks; a test looks at the number of calls alone."""

from types import SimpleNamespace

import pytest

from harness.child.latency import host
from harness.child.latency.blocks import Budget


@pytest.mark.parametrize(("microseconds", "calls"), [(1, 16), (10, 10), (60, 1), (900, 1)])
def test_a_block_is_short(monkeypatch, microseconds, calls):
    counts = []

    def block(call, count):
        counts.append(count)
        return microseconds * 1.000001e-6 * call()

    monkeypatch.setattr(host, "block", block)
    stand = SimpleNamespace(call=lambda: lambda: 1, stream=SimpleNamespace(synchronize=lambda: None))
    pairs = host.host_enqueue(stand, stand, Budget(least=6, least_seconds=0.0, most_seconds=0.0))
    assert counts[-1] == pytest.approx(calls, abs=1)
    assert len(pairs.first) == len(pairs.second)


def test_a_long_call_is_timed_by_itself_from_the_beginning(monkeypatch):
    counts = []
    monkeypatch.setattr(host, "block", lambda _call, count: counts.append(count) or 0.5 * count)
    stand = SimpleNamespace(call=lambda: lambda: 1, stream=SimpleNamespace(synchronize=lambda: None))
    host.host_sampler(stand)(stand)()
    assert set(counts) == {1}
