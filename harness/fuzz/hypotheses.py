"""Hypothesis as we run it: every setting explicit, so that a user's profile changes nothing, and no noise.

Two of its habits would make what is drawn depend on more than the seed, or cost much: it collects constants from all
modules that happen to be loaded (and writes them to a folder), and it complains about its own speed. Both are off here.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


#: What is changed for a run of ours is changed for the whole process.
_TURN = threading.RLock()


class _Failed(Exception):  # noqa: N818 - it never leaves this module
    """An example failed; Hypothesis looks for a smaller one."""

    def __init__(self, example: Any) -> None:
        super().__init__("the example fails")
        self.example = example


def drawn(strategy: Any, number: int, *, seeded: int) -> list[Any]:
    """Return up to ``number`` examples, the same for the same seed; fewer where there are no more."""
    found: list[Any] = []
    _run(strategy, found.append, _settings(number, [Phase.generate]), seeded)
    return found


def smallest(strategy: Any, number: int, fails: Callable[[Any], bool], *, seeded: int) -> Any:
    """Return the smallest example that was found to fail among those that ``drawn`` returns and smaller ones.

    ``fails`` must give the same answer to the same question. None: no example failed.
    """

    def body(example: Any) -> None:
        if fails(example):
            raise _Failed(example)

    try:
        _run(strategy, body, _settings(number, [Phase.generate, Phase.shrink]), seeded)
    except _Failed as failed:
        return failed.example
    return None


def _run(strategy: Any, body: Callable[[Any], object], chosen: settings, seeded: int) -> None:
    def test(example: Any) -> None:
        body(example)

    decorated: Any = given(strategy)  # Hypothesis says nothing of the types of its decorators
    run = seed(seeded)(chosen(decorated(test)))
    with _TURN, _undisturbed():
        run()


def _settings(number: int, phases: list[Phase]) -> settings:
    return settings(
        max_examples=number,
        phases=phases,
        database=None,
        derandomize=False,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        stateful_step_count=50,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        backend="hypothesis",
    )


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let nothing but the seed decide what is drawn, and let Hypothesis keep its advice to itself."""
    provider: Any = providers.HypothesisProvider
    habit = vars(provider).get("_maybe_draw_constant")  # not there before 6.131, which collects no constants
    if habit is not None:
        provider._maybe_draw_constant = _draw_no_constant  # noqa: SLF001 - no setting does it
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if habit is not None:
            provider._maybe_draw_constant = habit  # noqa: SLF001 - as it was


def _draw_no_constant(*_: object, **__: object) -> None:
    """Stand in for what draws a constant of the user's code."""
