"""Generate legal programs of an application with a state machine of Hypothesis.

The machine's rules only add steps to a program. Its attributes are a small model of the application: existing objects,
their dependences, and contexts that still run. `harness.checks.engines.programs` defines the steps and runs programs.
Only pytest's process imports this module.

Each rule generates one number, which chooses its objects. Hypothesis first tries the rule whose name comes first, with
the number 0. So that rule (``again``) runs a context.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from harness.protocol.program_shapes import PROFILES, first_shapes

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

#: The number of shapes that a program uses.
SHAPES = 3
#: The most objects of each kind at once.
_MOST = {"networks": 2, "plans": 3, "engines": 3, "contexts": 4}
#: The most contexts that a program begins with.
_FIRST_CONTEXTS = 3
_STREAMS = 2
#: The number of schedules: seeds of the order of callbacks that no document fixes.
_SCHEDULES = 4
#: Fixed programs with every kind of step. Profile 1 includes the first two shapes.
_TOURS = (
    """
    network; build 0; deserialize 0; context 0 0; context 0 1; run 0 2; context 0 0; run 1 1;
    launch 0 1 1; launch 2 0 0; wait 1; wait 0; serialize 0; deserialize 1; context 1 0; run 3 2;
    profile 1 0; run 1 2; move 0; run 0 2; destroy context 0; context 0 0; run 4 1;
    destroy context 3; destroy engine 1; destroy network 0
    """,
    """
    network; build 0; deserialize 0; deserialize 0; context 0 0; context 1 0; context 0 1;
    launch 0 2 0; launch 1 1 1; launch 2 0 1; wait 1; wait 0; run 1 2; move 1; run 1 2;
    context 1 1; run 3 0; run 0 1; run 1 0; profile 2 0; launch 2 2 0; launch 0 2 1; wait 0; wait 1;
    destroy context 1; destroy context 3; destroy engine 1
    """,
)
#: The number of a rule, which chooses its objects.
_NUMBERS = st.sampled_from(range(60))


class _Context(msgspec.Struct):
    engine: int
    profile: int
    shapes: int
    stream: int | None = None
    """The stream of a launch that was not waited for; None if the context is idle."""


class _Number:
    """A number that encodes several choices."""

    def __init__(self, number: int) -> None:
        self._left = number

    def below(self, end: int) -> int:
        """Return the next choice, a number from 0 to ``end - 1``."""
        self._left, chosen = divmod(self._left, end)
        return chosen

    def of(self, things: Iterable[int]) -> int:
        """Return the next choice, one of some objects."""
        ordered = sorted(things)
        return ordered[self.below(len(ordered))]


def tours(shapes: list[Any], chance: random.Random) -> list[dict[str, Any]]:
    """Return the fixed programs, each with three of the shapes."""
    return [_tour(text, chance.choices(shapes, k=SHAPES), chance.randrange(_SCHEDULES)) for text in _TOURS]


def _tour(text: str, shapes: list[Any], schedule: int) -> dict[str, Any]:
    steps = [step.split() for step in text.split(";")]
    program = [[int(word) if word.isdigit() else word for word in step] for step in steps]
    return {"schedule": schedule, "shapes": shapes, "program": program}


def machine(shapes: Any) -> type[RuleBasedStateMachine]:
    """Return a machine for programs, with shapes from a strategy for ``{"shapes": [...]}``."""

    class Lifecycle(_Application):
        @initialize(drawn=st.tuples(*[shapes] * SHAPES), number=_NUMBERS)
        def begin(self, drawn: tuple[dict[str, Any], ...], number: int) -> None:
            self.begin_with([each["shapes"] for each in drawn], _Number(number))

    return Lifecycle


def _rule(kind: str, *, more: bool = False) -> Callable[[Callable[[Any, _Number], None]], Any]:
    """Return a decorator that makes a rule of a method.

    The rule is enabled while an object of the ``kind`` exists; with ``more``, while one more may be made.
    """

    def decorate(method: Callable[[Any, _Number], None]) -> Any:
        @functools.wraps(method)
        def numbered(self: Any, number: int) -> None:
            method(self, _Number(number))

        def is_enabled(self: Any) -> bool:
            count = len(getattr(self, kind))
            return count < _MOST[kind] if more else count > 0

        return precondition(is_enabled)(rule(number=_NUMBERS)(numbered))

    return decorate


class _Application(RuleBasedStateMachine):
    """A state machine: the objects of a program after its steps so far, and rules for the next step."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[list[Any]] = []
        self.example: dict[str, Any] | None = None
        self.networks: set[int] = set()
        self.plans: set[int] = set()
        self.engines: set[int] = set()
        self.contexts: dict[int, _Context] = {}
        self._made: dict[str, int] = {}

    def begin_with(self, shapes: list[Any], number: _Number) -> None:
        """Begin a program: make a network, a plan, an engine and a few contexts."""
        contexts, schedule = 1 + number.below(_FIRST_CONTEXTS), number.below(_SCHEDULES)
        self.example = {"schedule": schedule, "shapes": shapes, "program": self.steps}
        self._make("networks", "network")
        self._make("plans", "build", 0)
        self._make("engines", "deserialize", 0)
        for _ in range(contexts):
            self._make_context(0, 0)

    # -- the kinds of objects in `_rule` --------------------------------------------------------------------

    @property
    def idle_contexts(self) -> list[int]:
        """The contexts without an execution that was not waited for."""
        return [number for number, known in self.contexts.items() if known.stream is None]

    @property
    def idle_engines(self) -> set[int]:
        """The engines without contexts."""
        return self.engines - {known.engine for known in self.contexts.values()}

    @property
    def busy_streams(self) -> set[int]:
        """The streams with an execution that was not waited for."""
        return {known.stream for known in self.contexts.values() if known.stream is not None}

    @property
    def rooms(self) -> set[int]:
        """The engines, while one more context may be made."""
        return self.engines if len(self.contexts) < _MOST["contexts"] else set()

    @property
    def sources(self) -> set[int]:
        """The plans, while one more engine may be made."""
        return self.plans if len(self.engines) < _MOST["engines"] else set()

    # -- the rules ------------------------------------------------------------------------------------------

    @_rule("contexts")
    def again(self, number: _Number) -> None:
        """Run a context again at its shapes, in the same memory or in other memory."""
        context = number.of(self.contexts)
        if number.below(2):
            self._step("move", context)
        self._run(context, self.contexts[context].shapes)

    @_rule("contexts")
    def run_at(self, number: _Number) -> None:
        """Run a context at some shapes, and wait."""
        self._run(number.of(self.contexts), number.below(SHAPES))

    @_rule("contexts")
    def run_the_last(self, number: _Number) -> None:
        """Run the context that was made last, and wait."""
        self._run(max(self.contexts), number.below(SHAPES))

    @_rule("contexts")
    def launch(self, number: _Number) -> None:
        """Start an execution of a context, and do not wait."""
        context, shapes = number.of(self.contexts), number.below(SHAPES)
        known = self.contexts[context]
        known.stream = number.below(_STREAMS) if known.stream is None else known.stream
        self._step("launch", context, self._take(known, shapes), known.stream)

    @_rule("busy_streams")
    def wait(self, number: _Number) -> None:
        """Wait for a stream."""
        stream = number.of(self.busy_streams)
        self._step("wait", stream)
        self._over(stream)

    @_rule("rooms")
    def open_context(self, number: _Number) -> None:
        """Make a context."""
        self._make_context(number.of(self.engines), number.below(PROFILES))

    @_rule("rooms")
    def open_beside(self, number: _Number) -> None:
        """Make a context on the newest engine, and run it."""
        self._make_context(max(self.engines), number.below(PROFILES))
        self._run(max(self.contexts), number.below(SHAPES))

    @_rule("idle_contexts")
    def use_profile(self, number: _Number) -> None:
        """Let a context use a profile, and run it."""
        context, profile = number.of(self.idle_contexts), number.below(PROFILES)
        self._step("profile", context, profile)
        self.contexts[context].profile = profile
        self._run(context, number.below(SHAPES))

    @_rule("sources")
    def load(self, number: _Number) -> None:
        """Deserialize a plan, and make a context if there may be one more."""
        self._make("engines", "deserialize", number.of(self.plans))
        if self.rooms:
            self._make_context(max(self.engines), number.below(PROFILES))

    @_rule("engines")
    def save(self, number: _Number) -> None:
        """Serialize an engine; deserialize the new plan and make a context if there may be one more."""
        self._make("plans", "serialize", number.of(self.engines))
        if self.sources and self.rooms:
            self._make("engines", "deserialize", max(self.plans))
            self._make_context(max(self.engines), number.below(PROFILES))

    @_rule("networks", more=True)
    def start_anew(self, _number: _Number) -> None:
        """Build one more network."""
        network = self._make("networks", "network")
        self._make("plans", "build", network)

    @_rule("networks")
    def build_again(self, number: _Number) -> None:
        """Build a network once more."""
        self._make("plans", "build", number.of(self.networks))

    @_rule("idle_contexts")
    def close_context(self, number: _Number) -> None:
        """Destroy a context."""
        context = number.of(self.idle_contexts)
        self._step("destroy", "context", context)
        del self.contexts[context]

    @_rule("idle_engines")
    def close_engine(self, number: _Number) -> None:
        """Destroy an engine."""
        engine = number.of(self.idle_engines)
        self._step("destroy", "engine", engine)
        self.engines.remove(engine)

    @_rule("networks")
    def close_network(self, number: _Number) -> None:
        """Destroy a network."""
        network = number.of(self.networks)
        self._step("destroy", "network", network)
        self.networks.remove(network)

    # -- steps ----------------------------------------------------------------------------------------------

    def _run(self, context: int, shapes: int) -> None:
        known = self.contexts[context]
        self._step("run", context, self._take(known, shapes))
        if known.stream is not None:
            self._over(known.stream)

    def _over(self, stream: int) -> None:
        for known in self.contexts.values():
            known.stream = None if known.stream == stream else known.stream

    def _make(self, kind: str, *words: Any) -> int:
        """Add a step that makes an object, and return its number."""
        self._step(*words)
        number = self._made.get(kind, 0)
        self._made[kind] = number + 1
        if kind != "contexts":
            getattr(self, kind).add(number)
        return number

    def _make_context(self, engine: int, profile: int) -> None:
        context = self._make("contexts", "context", engine, profile)
        self.contexts[context] = _Context(engine, profile, first_shapes(context, profile, SHAPES))

    def _step(self, *words: Any) -> None:
        self.steps.append(list(words))

    def _take(self, known: _Context, shapes: int) -> int:
        """Set a context's shapes to those with this number, or to others if its profile does not include these."""
        known.shapes = shapes if self._includes(known.profile, shapes) else shapes % PROFILES
        return known.shapes

    def _includes(self, profile: int, shapes: int) -> bool:
        """Return whether a profile includes shapes. Profile 0 includes all, profile 1 those between the first two."""
        if self.example is None or profile == 0 or shapes < PROFILES:
            return True
        one, other, third = self.example["shapes"]
        return all(
            min(low, high) <= n <= max(low, high)
            for extents in zip(one, other, third, strict=True)
            for low, high, n in zip(*extents, strict=True)
        )
