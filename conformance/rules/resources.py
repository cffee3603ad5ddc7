"""RES: what plugins share through the registry, and what an execution context lends to them.

Long because the family is: one file a family.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.engines.context_resources import SOURCE, attempts_with, two_contexts
from harness.checks.engines.resources import Register, construction, copy_of, let_go, whole_life
from harness.checks.observation.intent import is_deliberate
from harness.checks.observation.tracking import holdings
from harness.checks.running.runs import deviation
from harness.contract.finding import Finding, NotApplicable, Violation, judged
from harness.contract.rule import VERSION_3, Severity, rule
from harness.subject.calling import mishap_of, raise_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.checks.engines.resources import Failure, Life, Reading
    from harness.subject.subject import Subject

ACQUIRE, RELEASE = "acquire_plugin_resource", "release_plugin_resource"
#: To attach plugins to contexts, and to run them there.
ATTACHES = RUNS | {"CLN-013"}
#: To have resources cloned.
SHARES = {"CLN-013", "RES-001"}
CLONE_FAILED, RELEASE_FAILED = "clone of a resource", "release of a resource"


@rule("RES-001", source=plugins.RESOURCE_CLONE, interfaces=VERSION_3, owns={CLONE_FAILED})
def cloning_a_resource_makes_another_one(subject: Subject) -> Iterator[Finding]:
    """``IPluginResource.clone`` returns a new resource that can be used, each time that it is called.

    What is offered to the registry is only cloned; plugins use the clone, and the registry deletes it after its last
    release. TensorRT accepts a resource that returns itself, and deletes what the plugin still holds.
    """
    life = whole_life(subject)
    failed = _failure(life, CLONE_FAILED)
    yield judged(failed is None, lambda: _no_resource(failed))
    if failed is not None:
        return
    life.insist()
    for template in life.register.templates().values():
        family = [template, copy_of(subject, template), copy_of(subject, template)]
        yield judged(len(set(map(id, family))) == len(family), lambda: _same_resource(family))
    again = whole_life(subject, Register(lambda _key, offered: [copy_of(subject, offered) for _ in range(2)][1]))
    unlike = _unlike(again, life)
    yield judged(
        not unlike,
        lambda: _useless(
            "the second clone of what was offered", unlike, "Share nothing in clone() that one of two clones uses up."
        ),
    )


@rule("RES-002", source=plugins.RESOURCE_RELEASE, interfaces=VERSION_3, requires=SHARES, owns={RELEASE_FAILED})
def a_released_resource_can_be_cloned(subject: Subject) -> Iterator[Finding]:
    """``release`` frees what the resource holds, and leaves an object that can be cloned again.

    The registry releases its clone when the last user is gone; the next one offers the resource again.
    """
    life = whole_life(subject)
    failed = _failure(life, RELEASE_FAILED)
    yield judged(failed is None, lambda: _not_released(failed))
    life.insist()
    for template in life.register.templates().values():
        let_go(subject, copy_of(subject, template))  # what a library acquires once is no leak
        before = holdings(subject)
        let_go(subject, copy_of(subject, template))
        held = before.growth(holdings(subject))
        yield judged(not held, lambda: _still_held(type(template).__name__, held))

    for name, make in _ways_to_clone_after_a_release(subject).items():
        unlike = _unlike(whole_life(subject, Register(make)), life)
        fix = "Keep in release() whatever clone() needs; free only what clone() acquired."
        yield judged(not unlike, lambda: _useless(name, unlike, fix))


@rule("RES-003", source=plugins.RESOURCE_TEMPLATE, interfaces=VERSION_3, requires=SHARES)
def what_is_offered_holds_nothing(subject: Subject) -> Iterator[Finding]:
    """A resource that was never cloned holds nothing that would have to be released.

    ``release`` is called for clones only. What is offered to the registry is dropped, most often without a use: when
    the key is there already.
    """
    life = whole_life(subject).insist()
    whole_life(subject, Register(refuse=True))  # what a library acquires once is no leak
    for cls in {type(template) for template in life.register.templates().values()}:
        acquired: list[str] = []
        before = holdings(subject)
        with construction(cls, lambda: holdings(subject), lambda then: acquired.extend(then.growth(holdings(subject)))):
            whole_life(subject, Register(refuse=True))
        held = before.growth(holdings(subject)) if acquired else []
        yield judged(
            not held,
            lambda: Violation(
                what=f"a {cls.__name__} that was offered and never cloned holds {', '.join(held)}",
                where=f"{cls.__name__}.__init__; {ACQUIRE} gave no resource; the plugin is destroyed",
                expected="only clones hold what must be released",
                observed=f"__init__ acquires {acquired[0]}, and nobody calls release",
                fix="Acquire in clone(), not in __init__.",
            ),
        )


@rule("RES-004", source=plugins.RESOURCE_COUNTED, interfaces=VERSION_3, requires={"CLN-013"})
def each_acquire_has_its_release(subject: Subject) -> Iterator[Finding]:
    """Each successful ``acquire_plugin_resource`` is paired with one ``release_plugin_resource`` of its key.

    The registry only counts. One release too few, and the resource stays for as long as the process lives; one too
    many, and it is deleted while another plugin uses it.
    """
    life = whole_life(subject).insist()
    for key, balance in life.register.balance().items():
        acquired = sum(each.key == key and each.given is not None for each in life.register.claims)
        yield judged(
            balance == 0,
            lambda: Violation(
                what=f"the resource {key!r} was acquired {acquired} times and released {acquired - balance} times",
                where=f"a build, an engine and three contexts; {_last(life, key)}",
                expected="as many releases as acquires when all plugins are destroyed",
                observed=f"{balance} of its uses are never given back"
                if balance > 0
                else f"{-balance} releases too many: it is deleted while others use it",
                fix="Acquire once for each object, and release in destroy() what that object acquired.",
            ),
        )


@rule("RES-005", source=plugins.RESOURCE_ACQUIRED, interfaces=VERSION_3, requires=SHARES)
def plugins_use_what_acquire_returned(subject: Subject) -> Iterator[Finding]:
    """Plugins use the resource that ``acquire_plugin_resource`` returns, not the one that they offer.

    What is offered is a template: only the clone of the first one is shared, and only it is initialized.
    """
    life = whole_life(subject).insist()
    own = [each for each in life.register.readings if each.of == "offered" and not each.during.endswith(".destroy")]
    shared = [each for each in life.register.readings if each.of == "shared"]
    yield judged(
        not own or bool(shared),
        lambda: Violation(
            what="the plugin uses the resource that it offered, and never the one that it was given",
            where=f"{own[0].during} reads .{own[0].attribute}",
            expected=f"what {ACQUIRE} returned is used",
            observed=f"{_attributes(own)} of the object that was passed in",
            fix=f"Keep the result: self.resource = registry.{ACQUIRE}(key, template).",
        ),
    )


@rule("RES-006", source=plugins.RESOURCE_RELEASED, interfaces=VERSION_3, requires={"CLN-013"})
def released_resources_are_left_alone(subject: Subject) -> Iterator[Finding]:
    """After its own ``release_plugin_resource`` a plugin does not touch the resource.

    The last release frees and deletes it.
    """
    life = whole_life(subject).insist()
    if not any(each.verb == "release" for each in life.register.claims):
        raise NotApplicable("the plugin never releases what it acquires")
    late = [each for each in life.register.readings if each.of == "released"]
    yield judged(
        not late,
        lambda: Violation(
            what="the plugin uses a resource after its last release",
            where=f"{late[0].during} reads .{late[0].attribute}",
            expected=f"nothing of it is used after {RELEASE}",
            observed=f"{_attributes(late)} of a resource that the registry has deleted",
            fix=f"Call {RELEASE} last, when nothing needs the resource any more.",
        ),
    )


@rule("RES-007", source=plugins.RESOURCE_REFUSED, interfaces=VERSION_3, requires={"CLN-013"})
def a_resource_may_be_refused(subject: Subject) -> Iterator[Finding]:
    """Key and resource are there, and where ``acquire_plugin_resource`` returns None, the plugin says so or copes.

    None comes back where the key's first clone failed, be it that of another library.
    """
    usual = whole_life(subject).insist()
    for claim in usual.register.claims:
        given = claim.key is not None and (claim.verb == "release" or claim.offered is not None)
        yield judged(given, lambda: _null_argument(claim.verb, claim.during))
    life = whole_life(subject, Register(refuse=True))
    accident = next((each for each in life.failures if _is_accident(each)), None)
    unlike = "" if life.failures else _unlike(life, usual)
    yield judged(
        accident is None and not unlike,
        lambda: Violation(
            what="the plugin does not look whether it was given a resource",
            where=f"{ACQUIRE} returns None; {accident.target}.{accident.method}"
            if accident
            else f"{ACQUIRE} returns None",
            expected="an exception that says so, or the same results without the resource",
            observed=accident.what if accident else unlike,
            fix=f"Raise with a message where {ACQUIRE} returns None.",
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
    """What ``release_plugin_resource`` returns is not taken for an error.

    0 means success, and yet the last release of a resource that is written in Python always returns 1.
    """
    life, other = whole_life(subject), whole_life(subject, Register(succeed=True))
    if not any(each.verb == "release" for each in life.register.claims):
        raise NotApplicable("the plugin never releases what it acquires")
    more = _new_failure(life, other)
    counts = [sum(each.verb == "release" for each in one.register.claims) for one in (life, other)]
    yield judged(
        more is None and counts[0] == counts[1],
        lambda: Violation(
            what=f"the plugin takes the 1 that the last {RELEASE} returns for an error",
            where=f"{more.target}.{more.method}" if more else "the end of all its objects",
            expected="the same as where it returns 0",
            observed=more.what if more else f"{counts[0]} releases instead of {counts[1]}",
            fix=f"Ignore what {RELEASE} returns.",
        ),
    )


@rule("RES-009", source=plugins.RESOURCE_KEY, severity=Severity.WARNING, interfaces=VERSION_3, requires={"CLN-013"})
def keys_name_the_plugin(subject: Subject) -> Iterator[Finding]:
    """Keys contain the plugin's name, its namespace or its package, so that libraries do not collide.

    There is one registry in the process. Whoever comes second under a key gets what the first one offered.
    """
    life = whole_life(subject).insist()
    identity = subject.caller.identity_of(subject.gate, subject.create())
    names = {str(identity["plugin_name"]), str(identity["plugin_namespace"]), type(subject.creator).__module__}
    for key in life.register.balance():
        yield judged(
            any(_plain(name) in _plain(key) for name in names if _plain(name)),
            lambda: Violation(
                what=f"the key {key!r} does not say whose it is",
                where=f"{ACQUIRE}({key!r}, ...)",
                expected=f"a key with {identity['plugin_name']!r} or the library's name in it",
                observed=repr(key),
                fix="Begin the key with the namespace and the name of the plugin.",
            ),
        )


@rule("RES-010", source=plugins.CONTEXT_RESOURCES, interfaces=VERSION_3, requires=ATTACHES)
def context_resources_end_with_the_context(subject: Subject) -> Iterator[Finding]:
    """What a context lends is used until the attached plugin is destroyed, and by nobody else.

    The context goes with its plugin, and so does what ``attach_to_context`` was given.
    """
    seen = two_contexts(subject)
    wrong = [use for use in seen.uses if use.ended or use.by == SOURCE]
    yield judged(
        not wrong,
        lambda: Violation(
            what=f"{wrong[0].by} uses the {wrong[0].what.partition('.')[0]} that {wrong[0].of} was lent",
            where=f"{wrong[0].what}, {'when that context is gone' if wrong[0].ended else 'while it has no context'}",
            expected="only the plugin that was attached uses it, until it is destroyed",
            observed=f"{len(wrong)} such uses",
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
    """A context without an error recorder or an allocator is as good as any, and memory may be short.

    Where the application sets none, both are None.
    """
    failures, lender = attempts_with(subject)
    if not lender.uses:
        raise NotApplicable("the plugin makes no use of what contexts lend")
    for failure in failures:
        raise_for(failure)
    short = {each.what for each in attempts_with(subject, short=True)[0]}
    for what, (allowed, found) in {
        "no recorder": (set(), attempts_with(subject, recorder=False)[0]),
        "no allocator": (set(), attempts_with(subject, allocator=False)[0]),
        "neither a recorder nor an allocator": (set(), attempts_with(subject, recorder=False, allocator=False)[0]),
        "no recorder and an allocator without memory": (short, attempts_with(subject, recorder=False, short=True)[0]),
    }.items():
        wrong = next((each for each in found if each.what not in allowed), None)
        yield judged(
            wrong is None,
            lambda: Violation(
                what=f"{wrong.method} {wrong.what}" if wrong else "",
                where=f"a context with {what}",
                expected="what the plugin does with a recorder and an allocator",
                observed=wrong.becomes if wrong else "",
                fix="Look whether gpu_allocator and error_recorder are None before using them.",
            ),
        )


@rule("RES-012", source=plugins.CONTEXT_MEMORY, interfaces=VERSION_3, requires=ATTACHES)
def memory_goes_back_to_its_allocator(subject: Subject) -> Iterator[Finding]:
    """Memory from a context's allocator is given back to that allocator before the plugin is gone.

    Nobody else knows of it, and nobody else may free it.
    """
    seen = two_contexts(subject)
    if not seen.allocated:
        raise NotApplicable("the plugin takes no memory from a context's allocator")
    for context, kept in seen.kept.items():
        strange = seen.misgiven[context]
        yield judged(
            not kept and not strange,
            lambda: Violation(
                what=f"{kept} bytes were not given back to the allocator of {context}"
                if kept
                else f"the allocator of {context} was given memory that is not its own",
                where="attach_to_context, on_shape_change, enqueue, destroy",
                expected="all of its memory is given back to it, and nothing else",
                observed=f"{kept} bytes are missing, and {strange} addresses are not its own",
                fix="Call deallocate() of the allocator that gave the memory, in destroy() at the latest.",
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
        "a clone of what was offered, another clone of which was released": after_a_release,
    }


def _failure(life: Life, callback: str) -> Failure | None:
    return next((each for each in life.failures if mishap_of(each).callback == callback), None)


def _new_failure(life: Life, other: Life) -> Failure | None:
    """Return a failure of one life that the other one does not have."""
    known = {(each.method, each.what) for each in other.failures}
    return next((each for each in life.failures if (each.method, each.what) not in known), None)


def _is_accident(failure: Failure) -> bool:
    return failure.error is not None and not is_deliberate(failure.error)


def _unlike(life: Life, usual: Life) -> str:
    """Return in words how a life differs from the usual one; empty where it computes the same."""
    if life.mishap is not None:
        return f"{life.mishap.callback} {life.mishap.how}"
    pairs = zip(life.runs, usual.runs, strict=True)
    return next((found for each, wanted in pairs if (found := deviation(usual.bench, each, wanted.insist()))), "")


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
        where=f"{ACQUIRE}, which clones what it is offered",
        expected="a new IPluginResource",
        observed=f"{ACQUIRE} returns None, and will do so for this key ever after",
        fix="Return a new, initialized object of the class from clone().",
    )


def _same_resource(family: list[Any]) -> Violation:
    itself = any(each is family[0] for each in family[1:])
    return Violation(
        what=f"clone of a {type(family[0]).__name__} returned {'itself' if itself else 'an earlier clone'}",
        where="IPluginResource.clone, twice on one object",
        expected="a new object each time",
        observed="the registry releases and deletes it, while others use it",
        fix="Make a new object in every call of clone().",
    )


def _useless(which: str, observed: str, fix: str) -> Violation:
    return Violation(
        what="the plugin does not work with every clone of its resource",
        where=f"{ACQUIRE} returns {which}",
        expected="what it computes with the first clone",
        observed=observed,
        fix=fix,
    )


def _not_released(failure: Failure | None) -> Violation:
    return Violation(
        what=f"release of a resource {failure.what if failure else ''}",
        where=f"the last {RELEASE} of its key",
        expected="what the resource holds is freed",
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
        what=f"{verb}_plugin_resource was given None",
        where=during,
        expected="a key, and a resource to share",
        observed="TensorRT refuses it, and nothing is shared",
        fix="Give a key and an object of an IPluginResource class.",
    )
