"""Run Hypothesis with every setting explicit, so that a user's profile has no effect, and without its output.

Examples come from a strategy, from a state machine, or from :class:`Examples` with one of these. A state machine is a
class whose objects have an ``example``, or None, after their last step.

Three habits of Hypothesis are switched off. It collects constants from all loaded modules, and writes them to a folder:
examples would depend on more than the seed. It warns if examples are slow. It repeats parts of an example in up to five
further examples; for a state machine, these would be copies. The last habit is off only for state machines.
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

#: The number of steps of a state machine. The first step begins its example.
STEPS = 9

#: A run switches Hypothesis's habits off for the whole process, so only one thread at a time may run it.
_TURN = threading.RLock()


class _Failed(Exception):  # noqa: N818 - it never leaves this module
    """An example failed. Hypothesis then searches for a smaller example."""

    def __init__(self, example: Any) -> None:
        super().__init__("the example fails")
        self.example = example


def drawn(source: Any, number: int, *, seeded: int) -> list[Any]:
    """Return ``number`` generated examples, the same for the same seed; fewer if the source has no more."""
    examples: list[Any] = []
    _run(source, examples.append, _settings(number, [Phase.generate]), seeded)
    return examples


def smallest(source: Any, number: int, fails: Callable[[Any], bool], *, seeded: int) -> Any:
    """Return the smallest failing example that Hypothesis finds, from the examples that ``drawn`` returns; or None.

    ``fails`` must give the same answer for the same example each time.
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
    without_copies: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    if is_machine:
        without_copies = _switched_off(engine.ConjectureRunner, "generate_mutations_from")
    with _TURN, _undisturbed(), without_copies:
        test()


def _plain_test(strategy: Any, body: Callable[[Any], object], chosen: settings, seeded: int) -> Callable[[], None]:
    def test(example: Any) -> None:
        body(example)

    decorated: Any = given(strategy)  # Hypothesis does not declare the types of its decorators
    run: Callable[[], None] = seed(seeded)(chosen(decorated(test)))
    return run


def _machine_test(machine: Any, body: Callable[[Any], object], chosen: settings, seeded: int) -> Callable[[], None]:
    class Handing(machine):  # type: ignore[misc] # the base class is an argument
        def teardown(self) -> None:
            is_whole = sys.exc_info()[0] is None  # otherwise Hypothesis has stopped the example half-way
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
    """Let only the seed decide which examples are generated in the block, and suppress Hypothesis's warnings."""
    with _switched_off(providers.HypothesisProvider, "_maybe_draw_constant"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _switched_off(owner: Any, name: str) -> Iterator[None]:
    """Let a method of Hypothesis do nothing in the block, since no setting does it; ignore a missing method."""
    method = vars(owner).get(name)
    if method is not None:
        setattr(owner, name, _do_nothing)
    try:
        yield
    finally:
        if method is not None:
            setattr(owner, name, method)


def _do_nothing(*_: object, **__: object) -> None:
    """Do nothing, in place of a method of Hypothesis."""
