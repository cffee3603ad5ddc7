"""Run Hypothesis with every setting explicit, so that a user's profile changes nothing, and without its output.

Examples come from a strategy, from a state machine, or from :class:`Examples` that name either. A state machine is a
class whose objects have an ``example``, or None, after their last step.

Three of its habits would make examples depend on more than the seed, or cost much time. It collects constants from all
modules that happen to be loaded, and writes them to a folder. And it complains about its own speed. And it repeats
parts of an example in up to five more, which makes a state machine's programs copies. All are off here; the third is
off for state machines alone.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.internal.conjecture import engine, providers
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from harness.strategies.examples import examples_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Steps that a state machine takes: the first one begins its example.
STEPS = 9

#: What is changed for a run of ours is changed for the whole process.
_TURN = threading.RLock()


class _Failed(Exception):  # noqa: N818 - it never leaves this module
    """An example failed; Hypothesis looks for a smaller one."""

    def __init__(self, example: Any) -> None:
        super().__init__("the example fails")
        self.example = example


def drawn(source: Any, number: int, *, seeded: int) -> list[Any]:
    """Return up to ``number`` examples, the same for the same seed; fewer where there are no more."""
    found: list[Any] = []
    _run(source, found.append, _settings(number, [Phase.generate]), seeded)
    return found


def smallest(source: Any, number: int, fails: Callable[[Any], bool], *, seeded: int) -> Any:
    """Return the smallest example that was found to fail among those that ``drawn`` returns and smaller ones.

    ``fails`` must give the same answer to the same question. None: no example failed.
    """

    def body(example: Any) -> None:
        if fails(example):
            raise _Failed(example)

    try:
        _run(source, body, _settings(number, [Phase.generate, Phase.shrink]), seeded)
    except _Failed as failed:
        return failed.example
    return None


def _run(source: Any, body: Callable[[Any], object], chosen: settings, seeded: int) -> None:
    source = examples_of(source).strategy()
    is_machine = isinstance(source, type) and issubclass(source, RuleBasedStateMachine)
    test = (_machine_test if is_machine else _plain_test)(source, body, chosen, seeded)
    anew: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    if is_machine:  # each example is drawn anew
        anew = _broken_of(engine.ConjectureRunner, "generate_mutations_from")
    with _TURN, _undisturbed(), anew:
        test()


def _plain_test(strategy: Any, body: Callable[[Any], object], chosen: settings, seeded: int) -> Callable[[], None]:
    def test(example: Any) -> None:
        body(example)

    decorated: Any = given(strategy)  # Hypothesis says nothing of the types of its decorators
    run: Callable[[], None] = seed(seeded)(chosen(decorated(test)))
    return run


def _machine_test(machine: Any, body: Callable[[Any], object], chosen: settings, seeded: int) -> Callable[[], None]:
    class Handing(machine):  # type: ignore[misc] # a class of whatever was given
        def teardown(self) -> None:
            is_whole = sys.exc_info()[0] is None  # else Hypothesis has given up half-way
            if is_whole and self.example is not None:
                body(self.example)

    seed(seeded)(Handing)
    return lambda: run_state_machine_as_test(Handing, settings=chosen)


def _settings(number: int, phases: list[Phase]) -> settings:
    return settings(
        max_examples=number,
        phases=phases,
        database=None,
        derandomize=False,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        stateful_step_count=STEPS,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        backend="hypothesis",
    )


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let only the seed decide which examples are generated, and keep Hypothesis's advice off the output."""
    with _broken_of(providers.HypothesisProvider, "_maybe_draw_constant"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _broken_of(owner: Any, name: str) -> Iterator[None]:
    """Let a method do nothing for a while; no setting does it. Versions without this method need no change."""
    habit = vars(owner).get(name)
    if habit is not None:
        setattr(owner, name, _do_nothing)
    try:
        yield
    finally:
        if habit is not None:
            setattr(owner, name, habit)


def _do_nothing(*_: object, **__: object) -> None:
    """Replace a habit by nothing."""
