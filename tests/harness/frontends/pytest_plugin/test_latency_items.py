"""What pytest-benchmark's fixture sees are the samples, to the last bit."""

from types import SimpleNamespace

from harness.frontends.pytest_plugin.latency_items import Player, replay


def test_each_round_is_a_sample():
    seen, player = [], Player()

    def pedantic(target, rounds, **_):
        for _ in range(rounds):
            begin = player()
            target()
            seen.append(player() - begin)

    replay(SimpleNamespace(pedantic=pedantic), player, [3.3e-6, 0.1, 0.0])
    assert seen == [3.3e-6, 0.1, 0.0]
