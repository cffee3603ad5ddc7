"""RES: what plugins share through the registry, and what an execution context lends to them.

Long because the family is: one file a family.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.engines.context_resources import SOURCE, attempts_with, two_contexts
from harness.checks.engines.resources import Register, copy_of, let_go, whole_life
from harness.checks.lifecycle.parameters import with_other_parameters
from harness.checks.observation.intent import is_deliberate
from harness.checks.observation.tracking import holdings
from harness.checks.running.runs import deviation
from harness.contract.finding import Finding, NotApplicable, Violation, check
from harness.contract.rule import VERSION_3, Severity, rule
from harness.subject.calling import Fault, callback_failure_of, raise_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.checks.engines.resources import Failure, Life, Reading
    from harness.subject.subject import Subject

ACQUIRE, RELEASE = "acquire_plugin_resource", "release_plugin_resource"
#: To attach plugins to contexts, and to run them there.
ATTACHES = RUNS | {"CLN-013"}
#: To have resources cloned.
SHARES = {"CLN-013", "RES-001"}
CLONE_FAILED, RELEASE_FAILED = (Fault.OF_A_RESOURCE.of(method) for method in ("clone", "release"))


@rule("RES-001", source=plugins.RESOURCE_CLONE, interfaces=VERSION_3, owns={CLONE_FAILED})
def cloning_a_resource_makes_another_one(subject: Subject) -> Iterator[Finding]:
    """``IPluginResource.clone`` returns a new, working resource in each call.

    The registry clones the resource that a plugin offers. Plugins use the clone, and the registry deletes it after
    its last release. TensorRT accepts a resource that returns itself, and later deletes the object that the plugin
    still holds.
    """
    life = whole_life(subject)
    failed = _failure(life, CLONE_FAILED)
    yield check(failed is None, lambda: _no_resource(failed))
    if failed is not None:
        return
    life.insist()
    for template in life.register.templates().values():
        family = [template, copy_of(subject, template), copy_of(subject, template)]
        yield check(len(set(map(id, family))) == len(family), lambda: _same_resource(family))
    again = whole_life(subject, Register(lambda _key, offered: [copy_of(subject, offered) for _ in range(2)][1]))
    unlike = _unlike(again, life)
    yield check(
        not unlike,
        lambda: _useless(
            "the second clone of the offered object", unlike, "Do not share data in clone() that a clone consumes."
        ),
    )


@rule("RES-002", source=plugins.RESOURCE_RELEASE, interfaces=VERSION_3, requires=SHARES, owns={RELEASE_FAILED})
def a_released_resource_can_be_cloned(subject: Subject) -> Iterator[Finding]:
    """``release`` frees what the resource holds, and the object can still be cloned.

    When the last user is gone, the registry releases its clone. The next user offers the resource again, and the
    registry clones it.
    """
    life = whole_life(subject)
    failed = _failure(life, RELEASE_FAILED)
    yield check(failed is None, lambda: _not_released(failed))
    life.insist()
    for template in life.register.templates().values():
        let_go(subject, copy_of(subject, template))  # what a library acquires once is no leak
        before = holdings(subject)
        let_go(subject, copy_of(subject, template))
        held = before.growth(holdings(subject))
        yield check(not held, lambda: _still_held(type(template).__name__, held))

    for name, make in _ways_to_clone_after_a_release(subject).items():
        unlike = _unlike(whole_life(subject, Register(make)), life)
        fix = "Free in release() only what clone() acquired, and keep what clone() needs."
        yield check(not unlike, lambda: _useless(name, unlike, fix))


@rule("RES-003", source=plugins.RESOURCE_TEMPLATE, interfaces=VERSION_3, requires=SHARES)
def what_is_offered_holds_nothing(subject: Subject) -> Iterator[Finding]:
    """A resource that was never cloned holds no data that ``release`` would have to free.

    The registry calls ``release`` only for clones. It usually drops an offered resource unused: when the key
    already exists.
    """
    life = whole_life(subject).insist()
    whole_life(subject, Register(refuse=True))  # what a library acquires once is no leak
    before = holdings(subject)
    whole_life(subject, Register(refuse=True))
    held = before.growth(holdings(subject))
    freed = _freed_by_releases(subject) if held else {}
    for name in {type(template).__name__ for template in life.register.templates().values()}:
        yield check(
            name not in freed,
            lambda: Violation(
                what=f"a {name} that was offered and never cloned holds {', '.join(freed[name])}",
                where=f"{ACQUIRE} returned no resource; the plugin is destroyed",
                expected="only clones hold resources",
                observed=f"{', '.join(freed[name])} that release() would free; the registry calls it only on clones",
                fix="Acquire in clone(), not in __init__ and not before the plugin offers the resource.",
            ),
        )


def _freed_by_releases(subject: Subject) -> dict[str, list[str]]:
    """Return, by class, what resources free when they are released that were offered in vain."""
    freed: dict[str, list[str]] = {}
    register = whole_life(subject, Register(refuse=True)).register
    for template in [claim.offered for claim in register.claims if claim.offered is not None]:
        before = holdings(subject)
        let_go(subject, template)
        given_back = holdings(subject).growth(before)
        if given_back:
            freed[type(template).__name__] = given_back
    return freed


@rule("RES-004", source=plugins.RESOURCE_COUNTED, interfaces=VERSION_3, requires={"CLN-013"})
def each_acquire_has_its_release(subject: Subject) -> Iterator[Finding]:
    """Each successful ``acquire_plugin_resource`` is paired with one ``release_plugin_resource`` of its key.

    The registry only counts. With one release too few, the resource stays as long as the process lives. With one
    too many, the registry deletes it while another plugin uses it.
    """
    life = whole_life(subject).insist()
    for key, balance in life.register.balance().items():
        acquired = sum(each.key == key and each.acquired is not None for each in life.register.claims)
        yield check(
            balance == 0,
            lambda: Violation(
                what=f"the resource {key!r} was acquired {acquired} times and released {acquired - balance} times",
                where=f"a build, an engine and three contexts; {_last(life, key)}",
                expected="as many releases as acquires when all plugins are destroyed",
                observed=f"{balance} releases too few: the registry never deletes it"
                if balance > 0
                else f"{-balance} releases too many: the registry deletes it while others use it",
                fix="Acquire once for each object, and release in destroy() what that object acquired.",
            ),
        )


@rule("RES-005", source=plugins.RESOURCE_ACQUIRED, interfaces=VERSION_3, requires=SHARES)
def plugins_use_what_acquire_returned(subject: Subject) -> Iterator[Finding]:
    """Plugins use the resource that ``acquire_plugin_resource`` returns, not the resource that they offer.

    The offered object is a template: the registry shares and initializes only the clone of the first.
    """
    life = whole_life(subject).insist()
    own = [each for each in life.register.readings if each.of == "offered" and not each.during.endswith(".destroy")]
    shared = [each for each in life.register.readings if each.of == "shared"]
    yield check(
        not own or bool(shared),
        lambda: Violation(
            what="the plugin uses the resource that it offered, not the resource that the registry returned",
            where=f"{own[0].during} reads .{own[0].attribute}",
            expected=f"the plugin uses the result of {ACQUIRE}",
            observed=f"{_attributes(own)} of the offered object",
            fix=f"Keep the result: self.resource = registry.{ACQUIRE}(key, template).",
        ),
    )


@rule("RES-006", source=plugins.RESOURCE_RELEASED, interfaces=VERSION_3, requires={"CLN-013"})
def released_resources_are_left_alone(subject: Subject) -> Iterator[Finding]:
    """A plugin does not use a resource after its own ``release_plugin_resource``.

    The last release frees and deletes it.
    """
    life = whole_life(subject).insist()
    if not any(each.verb == "release" for each in life.register.claims):
        raise NotApplicable("the plugin never releases what it acquires")
    late = [each for each in life.register.readings if each.of == "released"]
    yield check(
        not late,
        lambda: Violation(
            what="the plugin uses a resource after its last release",
            where=f"{late[0].during} reads .{late[0].attribute}",
            expected=f"the plugin does not use it after {RELEASE}",
            observed=f"{_attributes(late)} of a resource that the registry has deleted",
            fix=f"Call {RELEASE} last, when the plugin no longer needs the resource.",
        ),
    )


@rule("RES-007", source=plugins.RESOURCE_REFUSED, interfaces=VERSION_3, requires={"CLN-013"})
def a_resource_may_be_refused(subject: Subject) -> Iterator[Finding]:
    """The plugin passes a key and a resource; if ``acquire_plugin_resource`` returns None, it raises or copes.

    The registry clones the first resource that a key gets. If this clone fails, every plugin gets None for the key,
    also a plugin of another library.
    """
    usual = whole_life(subject).insist()
    for claim in usual.register.claims:
        has_argument = claim.key is not None and (claim.verb == "release" or claim.offered is not None)
        yield check(has_argument, lambda: _null_argument(claim.verb, claim.during))
    life = whole_life(subject, Register(refuse=True))
    accident = next((each for each in life.failures if _is_accident(each)), None)
    unlike = "" if life.failures else _unlike(life, usual)
    yield check(
        accident is None and not unlike,
        lambda: Violation(
            what="the plugin does not check whether it got a resource",
            where=f"{ACQUIRE} returns None; {accident.target}.{accident.method}"
            if accident
            else f"{ACQUIRE} returns None",
            expected="an exception with a message, or the same results without the resource",
            observed=accident.what if accident else unlike,
            fix=f"Raise with a message if {ACQUIRE} returns None.",
        ),
    )


@rule(
    "RES-008",
    source=plugins.RESOURCE_STATUS,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires={"CLN-013"},
)
def the_status_of_a_release_means_nothing(subject: Subject) -> Iterator[Finding]:
    """The plugin does not take the result of ``release_plugin_resource`` as an error.

    0 means success, but the last release of a resource written in Python always returns 1.
    """
    life, other = whole_life(subject), whole_life(subject, Register(succeed=True))
    if not any(each.verb == "release" for each in life.register.claims):
        raise NotApplicable("the plugin never releases what it acquires")
    more = _new_failure(life, other)
    counts = [sum(each.verb == "release" for each in one.register.claims) for one in (life, other)]
    yield check(
        more is None and counts[0] == counts[1],
        lambda: Violation(
            what=f"the plugin takes the 1 of the last {RELEASE} as an error",
            where=f"{more.target}.{more.method}" if more else "the end of all its objects",
            expected="the same behaviour as for 0",
            observed=more.what if more else f"{counts[0]} releases instead of {counts[1]}",
            fix=f"Ignore the result of {RELEASE}.",
        ),
    )


@rule("RES-009", source=plugins.RESOURCE_KEY, severity=Severity.WARNING, interfaces=VERSION_3, requires={"CLN-013"})
def keys_name_the_plugin(subject: Subject) -> Iterator[Finding]:
    """A key contains the plugin's name, its namespace or its package, so that libraries do not collide.

    The process has one registry. A second plugin that uses a key gets the resource that the first one offered.
    """
    life = whole_life(subject).insist()
    identity = subject.caller.identity_of(subject.gate, subject.create())
    names = {str(identity["plugin_name"]), str(identity["plugin_namespace"]), type(subject.creator).__module__}
    for key in life.register.balance():
        yield check(
            any(_plain(name) in _plain(key) for name in names if _plain(name)),
            lambda: Violation(
                what=f"the key {key!r} does not name its plugin or library",
                where=f"{ACQUIRE}({key!r}, ...)",
                expected=f"a key with {identity['plugin_name']!r} or the library's name in it",
                observed=repr(key),
                fix="Begin the key with the namespace and the name of the plugin.",
            ),
        )


@rule("RES-013", source=plugins.RESOURCE_ACQUIRED, interfaces=VERSION_3, requires=RUNS | SHARES)
def a_key_stands_for_one_content(subject: Subject) -> Iterator[Finding]:
    """Plugins with different parameters use different resources, also at the same time.

    If a key already exists, the registry returns its resource and ignores the offered one. So the key must name all
    parameters of the resource.
    """
    first, judged_any = whole_life(subject).insist().register.templates(), False
    for other in with_other_parameters(subject):
        judged_any = True
        alone = whole_life(other).insist()
        common = sorted(first.keys() & alone.register.templates().keys())
        among = Register(lambda key, offered: copy_of(subject, first.get(key, offered)))
        unlike = _unlike(whole_life(other, among), alone) if common else ""
        yield check(
            not unlike,
            lambda: Violation(
                what="a plugin uses the resource of a plugin with other parameters",
                where=f"{ACQUIRE}({common[0]!r}, ...) where the plugin of the case has offered its own before",
                expected="the outputs of the second plugin if it is alone",
                observed=unlike,
                fix="Name in the key all parameters that the resource depends on.",
            ),
        )
    if not judged_any:
        raise NotApplicable("the creator accepts no other numbers")


@rule("RES-010", source=plugins.CONTEXT_RESOURCES, interfaces=VERSION_3, requires=ATTACHES)
def context_resources_end_with_the_context(subject: Subject) -> Iterator[Finding]:
    """Only the attached plugin uses what its context lends, and only until it is destroyed.

    The context and the resource context of ``attach_to_context`` end with the plugin.
    """
    seen = two_contexts(subject)
    wrong = [use for use in seen.uses if use.ended or use.by == SOURCE]
    yield check(
        not wrong,
        lambda: Violation(
            what=f"{wrong[0].by} uses the {wrong[0].what.partition('.')[0]} of {wrong[0].of}",
            where=f"{wrong[0].what}, {'after that context has ended' if wrong[0].ended else 'while it has no context'}",
            expected="only the attached plugin uses it, until it is destroyed",
            observed=f"{len(wrong)} uses of this kind",
            fix="Keep the resource context in the object that attach_to_context returns, and drop it in destroy().",
        ),
    )


@rule(
    "RES-011",
    source=plugins.CONTEXT_RESOURCES_MISSING,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=ATTACHES - {"CLN-013"},
)
def a_context_may_lend_nothing(subject: Subject) -> Iterator[Finding]:
    """The plugin works in a context without an error recorder or allocator, and with an allocator that has no memory.

    ``error_recorder`` or ``gpu_allocator`` is None if the application sets none.
    """
    failures, lender = attempts_with(subject)
    if not lender.uses:
        raise NotApplicable("the plugin uses no object that contexts lend")
    for failure in failures:
        raise_for(failure)
    short = {each.what for each in attempts_with(subject, short=True)[0]}
    for what, (allowed, others) in {
        "no recorder": (set(), attempts_with(subject, recorder=False)[0]),
        "no allocator": (set(), attempts_with(subject, allocator=False)[0]),
        "neither a recorder nor an allocator": (set(), attempts_with(subject, recorder=False, allocator=False)[0]),
        "no recorder and an allocator without memory": (short, attempts_with(subject, recorder=False, short=True)[0]),
    }.items():
        wrong = next((each for each in others if each.what not in allowed), None)
        yield check(
            wrong is None,
            lambda: Violation(
                what=f"{wrong.method} {wrong.what}" if wrong else "",
                where=f"a context with {what}",
                expected="the same results as with a recorder and an allocator",
                observed=wrong.becomes if wrong else "",
                fix="Check that gpu_allocator and error_recorder are not None before you use them.",
            ),
        )


@rule("RES-012", source=plugins.CONTEXT_MEMORY, interfaces=VERSION_3, requires=ATTACHES)
def memory_goes_back_to_its_allocator(subject: Subject) -> Iterator[Finding]:
    """The plugin gives memory of a context's allocator back to that allocator before it is destroyed.

    Only the plugin knows of this memory, and only that allocator may free it.
    """
    seen = two_contexts(subject)
    if not seen.allocated:
        raise NotApplicable("the plugin takes no memory from a context's allocator")
    for context, kept in seen.kept.items():
        strange = seen.misgiven[context]
        yield check(
            not kept and not strange,
            lambda: Violation(
                what=f"the plugin did not give {kept} bytes back to the allocator of {context}"
                if kept
                else f"the plugin gave foreign memory to the allocator of {context}",
                where="attach_to_context, on_shape_change, enqueue, destroy",
                expected="the plugin gives all of its memory back to it, and no other memory",
                observed=f"{kept} bytes are missing, and {strange} addresses are not its own",
                fix="Call deallocate() of the allocator that gave the memory, at the latest in destroy().",
            ),
        )


def _ways_to_clone_after_a_release(subject: Subject) -> dict[str, Callable[[str, Any], Any]]:
    def from_what_was_released(_key: str, offered: Any) -> Any:
        clone = copy_of(subject, offered)
        let_go(subject, clone)
        return copy_of(subject, clone)

    def after_a_release(_key: str, offered: Any) -> Any:
        let_go(subject, copy_of(subject, offered))
        return copy_of(subject, offered)

    return {
        "a clone of a clone that was released": from_what_was_released,
        "a clone of the offered resource after another clone was released": after_a_release,
    }


def _failure(life: Life, callback: str) -> Failure | None:
    return next((each for each in life.failures if callback_failure_of(each).callback == callback), None)


def _new_failure(life: Life, other: Life) -> Failure | None:
    """Return a failure of one life that the other does not have."""
    known = {(each.method, each.what) for each in other.failures}
    return next((each for each in life.failures if (each.method, each.what) not in known), None)


def _is_accident(failure: Failure) -> bool:
    return failure.error is not None and not is_deliberate(failure.error)


def _unlike(life: Life, usual: Life) -> str:
    """Return in words how a life differs from the usual one; empty if it computes the same."""
    if life.fatal_failure is not None:
        return f"{life.fatal_failure.callback} {life.fatal_failure.how}"
    pairs = zip(life.runs, usual.runs, strict=True)
    return next(
        (
            difference
            for each, expected_run in pairs
            if (difference := deviation(usual.driver, each, expected_run.insist()))
        ),
        "",
    )


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _attributes(readings: list[Reading]) -> str:
    return ", ".join(sorted({f".{each.attribute}" for each in readings}))


def _last(life: Life, key: str) -> str:
    last = [each for each in life.register.claims if each.key == key][-1]
    return f"the last {last.verb} is made in {last.during}"


def _no_resource(failure: Failure | None) -> Violation:
    return Violation(
        what=f"clone of a resource {failure.what if failure else ''}",
        where=f"{ACQUIRE}, which clones the offered resource",
        expected="a new IPluginResource",
        observed=f"{ACQUIRE} returns None, now and later, for this key",
        fix="Return a new, initialized object of the class from clone().",
    )


def _same_resource(family: list[Any]) -> Violation:
    itself = any(each is family[0] for each in family[1:])
    return Violation(
        what=f"clone of a {type(family[0]).__name__} returned {'itself' if itself else 'an earlier clone'}",
        where="IPluginResource.clone, twice on one object",
        expected="a new object each time",
        observed="the registry releases and deletes it while others use it",
        fix="Make a new object in every call of clone().",
    )


def _useless(which: str, observed: str, fix: str) -> Violation:
    return Violation(
        what="the plugin does not work with every clone of its resource",
        where=f"{ACQUIRE} returns {which}",
        expected="the same outputs as with the first clone",
        observed=observed,
        fix=fix,
    )


def _not_released(failure: Failure | None) -> Violation:
    return Violation(
        what=f"release of a resource {failure.what if failure else ''}",
        where=f"the last {RELEASE} of its key",
        expected="release frees what the resource holds",
        observed="the bindings print the error, and the resource is deleted",
        fix="Free in release() what clone() acquired, and nothing else.",
    )


def _still_held(name: str, held: list[str]) -> Violation:
    return Violation(
        what=f"a released {name} still holds {', '.join(held)}",
        where="IPluginResource.clone, then release on the clone",
        expected="release frees what clone acquired",
        observed=f"{', '.join(held)} more than before",
        fix="Free in release() what clone() acquired.",
    )


def _null_argument(verb: str, during: str) -> Violation:
    return Violation(
        what=f"the plugin passed None to {verb}_plugin_resource",
        where=during,
        expected="a key, and a resource to share",
        observed="TensorRT refuses it and shares nothing",
        fix="Pass a key and an object of an IPluginResource class.",
    )
