"""TAC: tactics, the key of the timing cache, and what a plugin says of itself, of an IPluginV3.

Long because the family is: one file a family.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.formats.capabilities import query
from harness.checks.lifecycle.life_stages import moments
from harness.checks.lifecycle.parameters import with_other_numbers, with_other_parameters
from harness.checks.lifecycle.states import in_the_build
from harness.checks.observation.classes import overrides
from harness.checks.running.driver import DEFAULT_TACTIC, Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation
from harness.checks.running.tactics import (
    Offer,
    advertised,
    ask_again,
    attribute_of,
    build_attribute,
    offer_of,
    offers,
    ready_with,
    refusal_of,
    set_tactic,
)
from harness.checks.sampling.sampling import best_shapes, other_shapes, sample_shapes, two_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import MADE_AS_V3, VERSION_3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.single_run import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

    Trace = list[tuple[str, int]]

METHOD = "get_valid_tactics"
#: To run with every tactic that is advertised.
CHOOSES = RUNS | {"TAC-001", "TAC-002"}
TAKE_ALL = "Accept every tactic that get_valid_tactics returns for this combination, and 0 if it returns none."
RUN_ALL = "Handle every advertised tactic in enqueue, and return a workspace size that is enough for any of them."
#: A tactic that no plugin of sound mind has.
NEVER_ADVERTISED = 1_234_567


@rule("TAC-001", level=1, source=plugins.TACTICS, interfaces=VERSION_3, requires=CONFIGURES | {"TAC-002"})
def tactics_are_positive_and_different(subject: Subject) -> Iterator[Finding]:
    """Advertised tactics are positive, and each is advertised once.

    0 is the default tactic of plugins that advertise none. (The C++ header says *unique and non-zero*, the Python
    documentation *unique and positive*.)
    """
    for offer in offers(subject):
        tactics = list(offer.tactics)
        yield check(
            all(tactic > 0 for tactic in tactics) and len(set(tactics)) == len(tactics),
            lambda: Violation(
                what=f"{METHOD} returned {tactics}",
                where=str(offer),
                expected="different integers, each at least 1",
                observed="0 or a negative number" if min(tactics) < 1 else "a tactic twice",
                fix="Number the tactics from 1, each once; return [] if the plugin has no choice.",
            ),
        )


@rule("TAC-002", level=1, source=plugins.TACTICS_RESULT, interfaces=VERSION_3, requires=CONFIGURES, owns={METHOD})
def tactics_are_integers(subject: Subject) -> Iterator[Finding]:
    """``get_valid_tactics`` returns a list of integers of 32 bits.

    TensorRT takes any other result as a failure of the plugin, and the builder loses the combination.
    """
    for offer in offers(subject):
        failure = offer.failure
        yield check(
            failure is None,
            lambda: Violation(
                what=f"{METHOD} {failure.what if failure else ''}",
                where=str(offer),
                expected="a list of integers between 1 and 2**31 - 1",
                observed=failure.becomes if failure else "",
                fix="Return a list of int; for an Enum return the values.",
            ),
        )


@rule("TAC-003", source=plugins.TACTICS_OF_A_CONFIGURATION, interfaces=MADE_AS_V3, requires=CHOOSES)
def tactics_belong_to_the_last_configuration(subject: Subject) -> Iterator[Finding]:
    """``get_valid_tactics`` answers for the last ``configure_plugin``, not for earlier ones.

    A builder configures one object for each combination, and asks after each.
    """
    expected_tactics = {offer.combination: offer.tactics for offer in advertised(subject)}
    driver = Driver(subject, subject.create(), next(iter(expected_tactics)))
    for combination in (*expected_tactics, *expected_tactics):
        one = Driver(subject, driver.plugin, combination)
        seen = offer_of(one).tactics
        yield check(
            seen == expected_tactics[combination],
            lambda: Violation(
                what=f"{METHOD} returned {list(seen)}",
                where=f"configured for {combination}, after other combinations",
                expected=f"{list(expected_tactics[combination])}, as a new object answers",
                observed=str(list(seen)),
                fix="Compute the tactics from the last configuration alone.",
            ),
        )


@rule("TAC-004", level=1, source=plugins.TACTIC_DEFAULT, interfaces=VERSION_3, requires={"TAC-006"})
def a_plugin_takes_its_tactics(subject: Subject) -> Iterator[Finding]:
    """``set_tactic`` accepts each tactic that the plugin advertises, or 0 if it advertises none.

    TensorRT sets one of these tactics, and does not run the plugin if ``set_tactic`` raises.
    """
    for offer in offers(subject):
        for tactic in offer.tried or (DEFAULT_TACTIC,):
            driver = Driver(subject, subject.create(), offer.combination).prepare()
            refused = refusal_of(driver, tactic)
            yield check(not refused, lambda: _refused(tactic, refused, str(offer)))


@rule(
    "TAC-005",
    source=plugins.TACTICS_ALIKE,
    interfaces=MADE_AS_V3,
    requires=CHOOSES | {"TAC-013", "CFG-009", "ENQ-003", "ENQ-004"},
)
def tactics_compute_the_same(subject: Subject) -> Iterator[Finding]:
    """Every advertised tactic computes the same result, within the tolerance of the type, at one shape after another.

    A builder takes the fastest tactic, and another machine has another fastest one. Other rules judge the first
    tactic. So this rule also checks the stream and the inputs for the other tactics. Of more than 64 tactics, rules try
    the first 32 and the last 32.
    """
    for offer in _with_a_choice(subject):
        first, *others = offer.tried
        for tactic in others:
            driver = ready_with(subject, offer.combination, tactic)
            for shapes in sample_shapes(subject.case, 1):
                expected_run = ready_with(subject, offer.combination, first).run(shapes)
                unlike = _unlike(driver, driver.run(shapes, conditions=LENIENT), expected_run)
                yield check(
                    not unlike,
                    lambda: Violation(
                        what=f"the outputs of tactic {tactic} differ from those of tactic {first}",
                        where=f"{offer}, input shapes {list(shapes)}",
                        expected=f"the outputs of tactic {first}, and no other writes",
                        observed=unlike,
                        fix="Compute the same result with every tactic.",
                    ),
                )


def _unlike(driver: Driver, run: Run, expected_run: Run) -> str:
    """Say what a run does that the expected one does not; empty if nothing."""
    if run.changed_inputs:
        return f"it writes to input {run.changed_inputs[0]}"
    return next(iter(run.races), "") or deviation(driver, run, expected_run)


@rule(
    "TAC-006",
    languages=PYTHON,
    level=1,
    source=plugins.TACTIC_REQUIRED,
    interfaces=VERSION_3,
    requires={"CAP-001", "CAP-003"},
)
def set_tactic_is_defined(subject: Subject) -> Iterator[Finding]:
    """A plugin in Python defines ``set_tactic``, also if it advertises no tactics.

    C++ has a default, the Python bindings have none: without the method each execution fails.
    """
    part = subject.caller.what_runs(subject.gate, subject.create())
    yield check(
        overrides(part, "set_tactic"),
        lambda: Violation(
            what="set_tactic is not defined",
            where=f"class {type(part).__name__}",
            expected="a method set_tactic(self, tactic)",
            observed="the bindings report a failure, and TensorRT does not run the plugin",
            fix="Define set_tactic(self, tactic); it may do nothing if the plugin advertises no tactics.",
        ),
    )


@rule("TAC-007", source=plugins.TACTIC_OF_AN_OBJECT, interfaces=VERSION_3, requires=CHOOSES | {"TAC-013"})
def a_tactic_is_of_one_object(subject: Subject) -> Iterator[Finding]:
    """Each object runs with its own tactic until ``set_tactic`` gives it another tactic.

    Contexts run at the same time, each with the tactic that TensorRT gave it last, at any shape. The rule compares
    what the plugin object does on the device, as far as that differs between tactics.
    """
    best = best_shapes(subject.case)
    for offer in _with_a_choice(subject):
        one, two = offer.tactics[:2]
        stranger = ready_with(subject, offer.combination, two)
        first, neighbour = _contexts_of_one_engine(subject, offer)
        usual, theirs = _steady_trace(first, best), _steady_trace(stranger, best)
        if usual is None or theirs is None:
            continue  # what it does varies by itself, and tells no tactic
        for driver, whose in ((stranger, "another object got"), (neighbour, "another context's object got")):
            driver.run(best, conditions=LENIENT)
            yield check(_trace_of(first, best) == usual, lambda: _not_its_own(offer, f"{whose} tactic {two}"))
            set_tactic(driver, one)
            driver.run(best, conditions=LENIENT)
            yield check(_trace_of(first, best) == usual, lambda: _not_its_own(offer, f"{whose} tactic {one} again"))
        first.run(other_shapes(subject.case, best), conditions=LENIENT)
        trace = _trace_of(first.configure(best), best)
        yield check(trace == usual, lambda: _not_its_own(offer, "it ran at another shape in between"))
        for tactic, expected_trace in ((two, theirs), (one, usual)):
            set_tactic(first, tactic)
            seen = _steady_trace(first, best)
            yield check(
                seen == expected_trace,
                lambda: _not_its_own(offer, f"it had tactic {one + two - tactic} before", tactic),
            )


@rule("TAC-008", source=plugins.TACTIC_UNKNOWN, severity=Severity.WARNING, interfaces=VERSION_3, requires=CHOOSES)
def an_unknown_tactic_is_refused(subject: Subject) -> Iterator[Finding]:
    """``set_tactic`` raises for a tactic that was never advertised.

    An unknown tactic comes from a timing cache or an engine of another version of the plugin.
    """
    for offer in advertised(subject):
        driver = Driver(subject, subject.create(), offer.combination).prepare()
        refused = refusal_of(driver, NEVER_ADVERTISED)
        yield check(
            bool(refused),
            lambda: Violation(
                what=f"set_tactic({NEVER_ADVERTISED}) was accepted",
                where=f"{offer}; advertised are {list(offer.tactics)}",
                expected="an exception",
                observed="it returned, and the plugin runs with another tactic",
                fix="Raise ValueError in set_tactic for a tactic that the plugin does not have.",
            ),
        )


@rule("TAC-009", source=plugins.TACTICS_COUNTED, interfaces=MADE_AS_V3, requires=CHOOSES)
def tactics_are_the_same_when_asked_again(subject: Subject) -> Iterator[Finding]:
    """``get_valid_tactics`` returns the same tactics in the same order until the next configuration.

    The bindings ask once for the number and once for the tactics, and require that both agree.
    """
    for combination in [offer.combination for offer in advertised(subject)]:
        driver = Driver(subject, subject.create(), combination)
        first = offer_of(driver).tactics
        for again in (ask_again(driver) for _ in range(3)):
            yield check(
                first == again,
                lambda: Violation(
                    what=f"{METHOD} returned other tactics when it was asked again",
                    where=f"configured once, for {combination}",
                    expected=str(list(first)),
                    observed=str(list(again)),
                    fix="Compute the tactics when the plugin is configured, and return the same list each time.",
                ),
            )


@rule("TAC-010", source=plugins.TIMING_CACHE_ID, interfaces=VERSION_3, requires=RUNS | {"CLN-005"})
def timing_cache_id_never_changes(subject: Subject) -> Iterator[Finding]:
    """``timing_cache_id`` depends only on the plugin's fields, and never changes.

    TensorRT finds timings again under this key, together with the inputs and outputs. If the key changes, it measures
    again.
    """
    yield from _constant(subject, "timing_cache_id")


@rule("TAC-012", source=plugins.TIMING_CACHE_KEY, interfaces=VERSION_3, requires=CHOOSES)
def equal_timing_cache_ids_mean_equal_tactics(subject: Subject) -> Iterator[Finding]:
    """Plugins with the same ``timing_cache_id`` advertise the same tactics for the same inputs and outputs.

    TensorRT sets a tactic that it found for one of them on the other.
    """
    plugin = subject.create()
    key = build_attribute(subject, plugin, "timing_cache_id")
    if key is None:
        raise NotApplicable("the plugin has no timing_cache_id: TensorRT does not keep its timings")
    mine = {offer.combination: offer for offer in offers(subject)}
    pairs = [
        (mine[its.combination], its, other)
        for other in _others(subject)
        if build_attribute(subject, other.create(), "timing_cache_id") == key
        for its in offers(other)
        if its.combination in mine
    ]
    if not pairs:
        raise NotApplicable("no other values of the fields give the same timing_cache_id")
    for offer, its, other in pairs:
        yield check(offer.tactics == its.tactics, lambda: _same_key(key, offer, its, other))


@rule(
    "TAC-013",
    level=1,
    source=plugins.TACTIC_IN_AN_ENGINE,
    interfaces=VERSION_3,
    requires=CHOOSES | {"TAC-004"},
    owns={"set_tactic"},
)
def an_engines_object_takes_every_tactic(subject: Subject) -> Iterator[Finding]:
    """An object of the runtime phase accepts, and runs with, every tactic that was advertised in a build.

    TensorRT has never configured this object, so what ``configure_plugin`` prepares is missing. If a configured
    object cannot run a combination with any tactic, FMT-012 reports that.
    """
    shapes = best_shapes(subject.case)
    saved = subject.serialize(subject.create())
    for offer in advertised(subject):
        for tactic in offer.tried:
            driver = Driver(subject, subject.deserialize(saved), offer.combination).initialize()
            refused = refusal_of(driver, tactic)
            fix = TAKE_ALL
            if not refused:
                driver.tactic, fix = tactic, RUN_ALL
                failure = driver.run(shapes, conditions=LENIENT).failure
                if failure and not _runs_with_some(subject, offer):
                    break
                refused = f"was accepted, and enqueue {failure.how}" if failure else ""
            yield check(not refused, lambda: _refused(tactic, refused, f"{offer}; in an engine", fix))


def _runs_with_some(subject: Subject, offer: Offer) -> bool:
    """Return whether a configured object runs with at least one tactic of an offer."""
    drivers = (ready_with(subject, offer.combination, tactic) for tactic in offer.tried)
    return any(driver.run(best_shapes(subject.case), conditions=LENIENT).failure is None for driver in drivers)


@rule(
    "TAC-014",
    level=1,
    source=plugins.COMBINATION_LIMIT,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=RUNS | {"CLN-005"},
)
def combination_limit_is_positive_and_constant(subject: Subject) -> Iterator[Finding]:
    """``format_combination_limit`` is at least 1, and stays the same for the plugin's whole life.

    With 0 TensorRT has no combination to try; NVIDIA's builder takes one all the same (observed on TensorRT-RTX 1.7.1).
    """
    name = "format_combination_limit"
    limit = build_attribute(subject, subject.create(), name)
    yield check(
        limit > 0,
        lambda: Violation(
            what=f"{name} is {limit}",
            where="a new plugin",
            expected="at least 1",
            observed=f"{limit}: TensorRT has no combination to try",
            fix=f"Keep the default of {name}, 100, or assign the number of combinations that TensorRT shall try.",
        ),
    )
    yield from _constant(subject, name)


@rule(
    "TAC-015",
    source=plugins.METADATA_STRING,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=RUNS | {"CLN-005"},
)
def metadata_never_changes(subject: Subject) -> Iterator[Finding]:
    """``metadata_string`` depends only on the plugin's fields, and never changes.

    Tools that inspect an engine show it as a fact about the plugin.
    """
    yield from _constant(subject, "metadata_string")


def _others(subject: Subject) -> Iterator[Subject]:
    """Yield the plugin with other values of its fields: single ones changed, and those of its other cases."""
    yield from with_other_parameters(subject)
    yield from with_other_numbers(subject)
    for case in subject.origin.siblings:
        if case.name != subject.case.name:
            other = subject.with_case(dataclasses.replace(subject.case, fields=case.fields))
            if other.try_create(other.fields)[0] is not None:
                yield other


def _with_a_choice(subject: Subject) -> list[Offer]:
    """Return the offers with several tactics."""
    several = [offer for offer in advertised(subject) if len(offer.tactics) > 1]
    if not several:
        raise NotApplicable("the plugin advertises only one tactic")
    return several


def _constant(subject: Subject, name: str) -> Iterator[Finding]:
    """Judge that an attribute of the build capability never changes: on a new plugin, in a build, in contexts."""
    plugin = subject.create()
    before = build_attribute(subject, plugin, name)
    for when, place in _looks(subject, plugin):
        part = query(subject, place, "BUILD").part
        if part is None:
            continue  # what is in a context need not have the capability
        now = attribute_of(part, name)
        yield check(
            now == before,
            lambda: Violation(
                what=f"{name} became {now!r}",
                where=when,
                expected=f"{before!r}, as on the new object",
                observed=repr(now),
                fix=f"Assign {name} only in __init__, from the plugin's parameters, also in clones.",
            ),
        )


def _looks(subject: Subject, plugin: Any) -> Iterator[tuple[str, Any]]:
    """Yield moments of a life, with the objects of a build, and of contexts at two shapes."""
    for moment in moments(subject, plugin):
        yield moment.when, moment.plugin
        yield f"{moment.when}, on the object of the build", plugin
    yield from in_the_build(subject)
    driver = fresh_driver(subject)
    for shapes in two_shapes(subject.case) or ():
        driver.run(shapes, conditions=LENIENT)
        yield f"after on_shape_change and enqueue with {list(shapes)}", driver.plugin


def _trace_of(driver: Driver, shapes: Shapes) -> Trace:
    """Return what one run does on the device, as far as it distinguishes tactics."""
    run = driver.enqueue(shapes, conditions=LENIENT)
    return [(access.kind, access.nbytes) for access in run.plugin_accesses]


def _refused(tactic: int, how: str, where: str, fix: str = TAKE_ALL) -> Violation:
    return Violation(
        what=f"set_tactic({tactic}) {how}",
        where=where,
        expected="it returns, and the plugin runs with the tactic",
        observed="TensorRT does not run the plugin",
        fix=fix,
    )


def _contexts_of_one_engine(subject: Subject, offer: Offer) -> list[Driver]:
    """Return what is attached from one object, with the first tactic and with the second."""
    engine = Driver(subject, subject.deserialize(subject.serialize(subject.create())), offer.combination)
    contexts = [engine.of(engine.plugin) for _ in range(2)]
    for driver, tactic in zip(contexts, offer.tactics, strict=False):
        driver.tactic = tactic
        driver.initialize()
    return contexts


def _steady_trace(driver: Driver, shapes: Shapes) -> Trace | None:
    """Return what every run does on the device after a first run has prepared it; None where that varies."""
    driver.run(shapes, conditions=LENIENT)
    one, other = (_trace_of(driver, shapes) for _ in range(2))
    return one if one == other else None


def _not_its_own(offer: Offer, because: str, tactic: int | None = None) -> Violation:
    own = offer.tactics[0] if tactic is None else tactic
    return Violation(
        what="an object does not run with its own tactic",
        where=f"{offer}, tactic {own}; {because}",
        expected=f"it runs as tactic {own} does in other objects",
        observed="it does something else on the device",
        fix="Keep the tactic in the object, not in shared state, and change it only in set_tactic.",
    )


def _same_key(key: str, mine: Offer, its: Offer, other: Subject) -> Violation:
    return Violation(
        what=f"two plugins with timing_cache_id {key!r} advertise different tactics",
        where=f"{mine}; the other was created from {', '.join(str(value) for value in other.fields)}",
        expected=str(list(mine.tactics)),
        observed=str(list(its.tactics)),
        fix="Name in timing_cache_id everything that the tactics depend on.",
    )
