"""A timer for pytest-benchmark that plays back what was measured in the child."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class Player:
    """A clock that is looked at twice for each sample: it stands at 0, and then at the sample."""

    __name__ = "samples taken in the child"

    def __init__(self) -> None:
        self.samples: Sequence[float] = ()
        self._looks = 0

    def __call__(self) -> float:
        """Return what the clock shows now."""
        sample, is_end = divmod(self._looks, 2)
        self._looks += 1
        return self.samples[sample] if is_end else 0.0


def replay(benchmark: Any, player: Player, samples: Sequence[float]) -> None:
    """Let the fixture, whose timer is the player, see samples as if it had taken them: a round each."""
    player.samples = samples
    benchmark.pedantic(lambda: None, rounds=len(samples), iterations=1, warmup_rounds=0)
