"""TAC: tactics, the key of the timing cache, and what a plugin says of itself, of an IPluginV3.

Long because the family is: one file a family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.prerequisites import CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.lifecycle.life_stages import moments
from harness.checks.lifecycle.parameters import with_other_parameters
from harness.checks.observation.classes import overrides
from harness.checks.running.driver import DEFAULT_TACTIC, Driver
from harness.checks.running.runs import LENIENT, deviation
from harness.checks.running.tactics import (
    Offer,
    advertised,
    ask_again,
    build_attribute,
    offer_of,
    offers,
    ready_with,
    refusal_of,
    set_tactic,
)
from harness.checks.sampling.sampling import best_shapes, sample_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, judged
from harness.contract.rule import MADE_AS_V3, VERSION_3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.single_run import Run
    from harness.subject.subject import Subject

METHOD = "get_valid_tactics"
#: To run with every tactic that is advertised.
CHOOSES = RUNS | {"TAC-001", "TAC-002"}
TAKE_ALL = "Take every tactic that get_valid_tactics returns for this combination, and 0 where it returns none."
RUN_ALL = "Let enqueue run with every tactic that is advertised, in a workspace that is large enough for any of them."
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
        yield judged(
            all(tactic > 0 for tactic in tactics) and len(set(tactics)) == len(tactics),
            lambda: Violation(
                what=f"{METHOD} returned {tactics}",
                where=str(offer),
                expected="different integers, each at least 1",
                observed="0 or a negative number" if min(tactics) < 1 else "a tactic twice",
                fix="Number the tactics from 1, each once; return [] where there is nothing to choose.",
            ),
        )


@rule("TAC-002", level=1, source=plugins.TACTICS_RESULT, interfaces=VERSION_3, requires=CONFIGURES, owns={METHOD})
def tactics_are_integers(subject: Subject) -> Iterator[Finding]:
    """``get_valid_tactics`` returns a list of integers of 32 bits.

    Whatever else it does counts as a failure of the plugin, and the combination is lost to the builder.
    """
    for offer in offers(subject):
        failure = offer.failure
        yield judged(
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
    """The tactics are those of the last ``configure_plugin``, whatever came before it.

    A builder configures one object for each combination, and asks after each.
    """
    wanted = {offer.combination: offer.tactics for offer in advertised(subject)}
    bench = Driver(subject, subject.create(), next(iter(wanted)))
    for combination in (*wanted, *wanted):
        one = Driver(subject, bench.plugin, combination)
        seen = offer_of(one).tactics
        yield judged(
            seen == wanted[combination],
            lambda: Violation(
                what=f"{METHOD} returned {list(seen)}",
                where=f"configured for {combination}, after other combinations",
                expected=f"{list(wanted[combination])}, as a new object answers",
                observed=str(list(seen)),
                fix="Compute the tactics from the last configuration alone.",
            ),
        )


@rule("TAC-004", level=1, source=plugins.TACTIC_DEFAULT, interfaces=VERSION_3, requires={"TAC-006"})
def a_plugin_takes_its_tactics(subject: Subject) -> Iterator[Finding]:
    """A plugin takes tactic 0 where it advertises none, and otherwise each tactic that it advertises.

    These are the tactics that TensorRT sets.
    """
    for offer in offers(subject):
        for tactic in offer.tactics or (DEFAULT_TACTIC,):
            bench = Driver(subject, subject.create(), offer.combination).prepare()
            refused = refusal_of(bench, tactic)
            yield judged(not refused, lambda: _refused(tactic, refused, str(offer)))


@rule(
    "TAC-005",
    source=plugins.TACTICS_ALIKE,
    interfaces=MADE_AS_V3,
    requires=CHOOSES | {"TAC-013", "CFG-009", "ENQ-003", "ENQ-004"},
)
def tactics_compute_the_same(subject: Subject) -> Iterator[Finding]:
    """Every advertised tactic computes the same result, within the tolerance of the type, at one shape after another.

    A builder takes the fastest, which is another one on another machine. Other rules judge the first tactic; so the
    others are looked at here for the stream that they work on and the inputs that they leave as they are, too.
    """
    for offer in _with_a_choice(subject):
        first, *others = offer.tactics
        for tactic in others:
            bench = ready_with(subject, offer.combination, tactic)
            for shapes in sample_shapes(subject.case, 1):
                wanted = ready_with(subject, offer.combination, first).run(shapes)
                unlike = _unlike(bench, bench.run(shapes, surroundings=LENIENT), wanted)
                yield judged(
                    not unlike,
                    lambda: Violation(
                        what=f"tactic {tactic} does something else than tactic {first}",
                        where=f"{offer}, input shapes {list(shapes)}",
                        expected=f"the outputs of tactic {first}, and nothing else written",
                        observed=unlike,
                        fix="Let tactics differ in how they compute, not in what.",
                    ),
                )


def _unlike(bench: Driver, run: Run, wanted: Run) -> str:
    """Say what a run does that the wanted one does not; empty if there is nothing."""
    if run.changed_inputs:
        return f"it writes to input {run.changed_inputs[0]}"
    return next(iter(run.races), "") or deviation(bench, run, wanted)


@rule("TAC-006", level=1, source=plugins.TACTIC_REQUIRED, interfaces=VERSION_3, requires={"CAP-001", "CAP-003"})
def set_tactic_is_defined(subject: Subject) -> Iterator[Finding]:
    """A plugin in Python defines ``set_tactic``, also where it advertises no tactics.

    C++ has a default. The bindings have none: without it each execution fails.
    """
    part = subject.caller.what_runs(subject.gate, subject.create())
    yield judged(
        overrides(part, "set_tactic"),
        lambda: Violation(
            what="set_tactic is not defined",
            where=f"class {type(part).__name__}",
            expected="a method set_tactic(self, tactic)",
            observed="the bindings report a failure, and TensorRT does not run the plugin",
            fix="Define set_tactic(self, tactic); it may do nothing where there are no tactics.",
        ),
    )


@rule("TAC-007", source=plugins.TACTIC_OF_AN_OBJECT, interfaces=VERSION_3, requires=CHOOSES | {"TAC-013"})
def a_tactic_is_of_one_object(subject: Subject) -> Iterator[Finding]:
    """The tactic of one object says nothing of another: each runs with its own until it is given another.

    Contexts run side by side, each with the tactic of its engine. Judged is what the plugin object itself keeps.
    """
    for offer in _with_a_choice(subject):
        shapes = best_shapes(subject.case)
        first, second = (ready_with(subject, offer.combination, tactic) for tactic in offer.tactics[:2])
        first.configure(shapes)
        _trace_of(first, shapes)  # the first run of an object may upload and prepare what later ones find
        before = _trace_of(first, shapes)
        if before != _trace_of(first, shapes):
            continue  # what it does varies by itself, and tells no tactic
        second.run(shapes, surroundings=LENIENT)
        yield judged(before == _trace_of(first, shapes), lambda: _not_its_own(offer, "another object was given"))
        set_tactic(second, offer.tactics[0])
        second.run(shapes, surroundings=LENIENT)
        yield judged(before == _trace_of(first, shapes), lambda: _not_its_own(offer, "another object was given"))
        set_tactic(first, offer.tactics[1])
        set_tactic(first, offer.tactics[0])
        first.configure(shapes)
        yield judged(before == _trace_of(first, shapes), lambda: _not_its_own(offer, "it was given in between"))


@rule("TAC-008", source=plugins.TACTIC_UNKNOWN, severity=Severity.WARNING, interfaces=VERSION_3, requires=CHOOSES)
def an_unknown_tactic_is_refused(subject: Subject) -> Iterator[Finding]:
    """A tactic that was never advertised is refused with an exception.

    Such a tactic comes from a timing cache or an engine of another version of the plugin.
    """
    for offer in advertised(subject):
        bench = Driver(subject, subject.create(), offer.combination).prepare()
        refused = refusal_of(bench, NEVER_ADVERTISED)
        yield judged(
            bool(refused),
            lambda: Violation(
                what=f"set_tactic({NEVER_ADVERTISED}) was accepted",
                where=f"{offer}; advertised are {list(offer.tactics)}",
                expected="an exception",
                observed="it returned, and the plugin runs with some other tactic",
                fix="Raise ValueError in set_tactic for a tactic that the plugin does not have.",
            ),
        )


@rule("TAC-009", source=plugins.TACTICS_COUNTED, interfaces=MADE_AS_V3, requires=CHOOSES)
def tactics_are_the_same_when_asked_again(subject: Subject) -> Iterator[Finding]:
    """Asked again without a new configuration, a plugin advertises the same tactics in the same order.

    The bindings ask once for the number and once for the tactics, and insist that both agree.
    """
    for combination in [offer.combination for offer in advertised(subject)]:
        bench = Driver(subject, subject.create(), combination)
        first = offer_of(bench).tactics
        for again in (ask_again(bench) for _ in range(3)):
            yield judged(
                first == again,
                lambda: Violation(
                    what=f"{METHOD} answered differently when it was asked again",
                    where=f"configured once, for {combination}",
                    expected=str(list(first)),
                    observed=str(list(again)),
                    fix="Compute the tactics when the plugin is configured, and return the same list each time.",
                ),
            )


@rule("TAC-010", source=plugins.TIMING_CACHE_ID, interfaces=VERSION_3, requires=RUNS)
def timing_cache_id_never_changes(subject: Subject) -> Iterator[Finding]:
    """``timing_cache_id`` depends on what the plugin was created from alone, and stays the same for life.

    With inputs and outputs it is the key under which timings are found again.
    """
    yield from _constant(subject, "timing_cache_id")


@rule("TAC-012", source=plugins.TIMING_CACHE_KEY, interfaces=VERSION_3, requires=CHOOSES)
def equal_timing_cache_ids_mean_equal_tactics(subject: Subject) -> Iterator[Finding]:
    """Plugins with the same ``timing_cache_id`` advertise the same tactics for the same inputs and outputs.

    A tactic that was found for one is then set for the other.
    """
    plugin = subject.create()
    key = build_attribute(subject, plugin, "timing_cache_id")
    if key is None:
        raise NotApplicable("the plugin has no timing_cache_id: its timings are not kept")
    judged_any = False
    for other in with_other_parameters(subject):
        if build_attribute(subject, other.create(), "timing_cache_id") != key:
            continue
        for mine, its in zip(offers(subject), offers(other), strict=False):
            if mine.combination != its.combination:
                continue
            judged_any = True
            yield judged(mine.tactics == its.tactics, lambda: _same_key(key, mine, its, other))
    if not judged_any:
        raise NotApplicable("no other values of the fields give the same timing_cache_id")


@rule(
    "TAC-013",
    level=1,
    source=plugins.TACTIC_IN_AN_ENGINE,
    interfaces=VERSION_3,
    requires=CHOOSES | {"TAC-004"},
    owns={"set_tactic"},
)
def an_engines_object_takes_every_tactic(subject: Subject) -> Iterator[Finding]:
    """An object that is made for the runtime phase takes, and runs with, every tactic that was advertised for a build.

    It has never been configured: what ``configure_plugin`` prepared is not there.
    """
    shapes = best_shapes(subject.case)
    saved = subject.serialize(subject.create())
    for offer in advertised(subject):
        for tactic in offer.tactics:
            bench = Driver(subject, subject.deserialize(saved), offer.combination).initialize()
            refused = refusal_of(bench, tactic)
            fix = TAKE_ALL
            if not refused:
                bench.tactic, fix = tactic, RUN_ALL
                mishap = bench.run(shapes, surroundings=LENIENT).mishap
                refused = f"was taken, and enqueue {mishap.how}" if mishap else ""
            yield judged(not refused, lambda: _refused(tactic, refused, f"{offer}; in an engine", fix))


@rule(
    "TAC-014", level=1, source=plugins.COMBINATION_LIMIT, severity=Severity.WARNING, interfaces=VERSION_3, requires=RUNS
)
def combination_limit_is_positive_and_constant(subject: Subject) -> Iterator[Finding]:
    """``format_combination_limit`` is at least 1, and stays the same for life.

    With 0 no combination is tried, and there is no engine.
    """
    name = "format_combination_limit"
    limit = build_attribute(subject, subject.create(), name)
    yield judged(
        limit > 0,
        lambda: Violation(
            what=f"{name} is {limit}",
            where="a new plugin",
            expected="at least 1",
            observed=f"{limit}: TensorRT tries no combination",
            fix=f"Leave {name} as it is, 100, or assign the number of combinations that are worth trying.",
        ),
    )
    yield from _constant(subject, name)


@rule("TAC-015", source=plugins.METADATA_STRING, severity=Severity.WARNING, interfaces=VERSION_3, requires=RUNS)
def metadata_never_changes(subject: Subject) -> Iterator[Finding]:
    """``metadata_string`` describes what the plugin was created from, and stays the same for life.

    An engine shows it to those who inspect it.
    """
    yield from _constant(subject, "metadata_string")


def _with_a_choice(subject: Subject) -> list[Offer]:
    """Return the offers with several tactics."""
    several = [offer for offer in advertised(subject) if len(offer.tactics) > 1]
    if not several:
        raise NotApplicable("the plugin advertises one tactic only")
    return several


def _constant(subject: Subject, name: str) -> Iterator[Finding]:
    """Judge that an attribute of the build capability stays as it is on a new plugin."""
    plugin = subject.create()
    before = build_attribute(subject, plugin, name)
    for moment in moments(subject, plugin):
        if subject.caller.can_be_asked(subject.gate, moment.plugin):
            now = build_attribute(subject, moment.plugin, name)
            yield judged(
                now == before,
                lambda: Violation(
                    what=f"{name} became {now!r}",
                    where=moment.when,
                    expected=f"{before!r}, as on the new object",
                    observed=repr(now),
                    fix=f"Assign {name} in __init__ alone, from the plugin's parameters, and so in clones.",
                ),
            )


def _trace_of(bench: Driver, shapes: tuple[tuple[int, ...], ...]) -> list[tuple[str, int]]:
    """Return what one run does on the device, as far as it tells one tactic from another."""
    run = bench.enqueue(shapes, surroundings=LENIENT)
    return [(access.kind, access.nbytes) for access in run.plugin_accesses]


def _refused(tactic: int, how: str, where: str, fix: str = TAKE_ALL) -> Violation:
    return Violation(
        what=f"set_tactic({tactic}) {how}",
        where=where,
        expected="it returns, and the plugin runs with the tactic",
        observed="TensorRT does not run the plugin",
        fix=fix,
    )


def _not_its_own(offer: Offer, because: str) -> Violation:
    return Violation(
        what="an object does not run with its own tactic",
        where=f"{offer}, tactic {offer.tactics[0]}; {because} tactic {offer.tactics[1]}",
        expected=f"it runs as tactic {offer.tactics[0]} did before",
        observed="it does something else on the device",
        fix="Keep the tactic in the object, not in its class or module.",
    )


def _same_key(key: str, mine: Offer, its: Offer, other: Subject) -> Violation:
    return Violation(
        what=f"two plugins with timing_cache_id {key!r} advertise different tactics",
        where=f"{mine}; the other was created from {', '.join(str(value) for value in other.fields)}",
        expected=str(list(mine.tactics)),
        observed=str(list(its.tactics)),
        fix="Put everything that the tactics depend on into timing_cache_id.",
    )
