"""GEN: what a builder of NVIDIA's makes of the plugin. Part of runs with ``--plugin-runtime`` only.

Other rules ask what the documents require, and are judged on every machine. These ask what one builder does, so none
of them is a condition of another. They concern plugins of every interface, so that a report says what the builder
cannot judge, and why.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from conformance.sources import plugins
from harness.child.nvidias_builder.seen import builder_of, differences, errors_of, outcomes
from harness.contract.extra_tools import Builder
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import ALL_INTERFACES, Severity, rule
from harness.contract.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.child.nvidias_builder.outcomes import Death, Outcome, Outcomes, Seen
    from harness.child.nvidias_builder.seen import Message
    from harness.subject.subject import Subject

#: Families whose failure on the reference runtime is probably what the builder meets too.
_CAUSES = ("ALI", "CAP", "CFG", "CLN", "CRE", "DST", "FMT", "ID", "OUT", "PFD", "SER", "SHP", "TAC", "WSP")


@rule(
    "GEN-001",
    tool=Builder.NVIDIA,
    source=plugins.BUILT_FROM_A_MODEL,
    interfaces=ALL_INTERFACES,
    level=1,
    explained_by=_CAUSES,
)
def builder_parses_it(subject: Subject) -> Iterator[Finding]:
    """NVIDIA's parser reads a model that has the plugin as a node.

    It asks the creator for a plugin, and the plugin for the types and shapes of its outputs. If one of these calls
    fails there, no model with the plugin can be loaded.
    """
    seen = outcomes(subject)
    for build, theirs in _ended(seen):
        yield check(
            theirs.parsed,
            lambda: _refusal(
                seen,
                build,
                theirs,
                what="does not parse the plugin",
                expected="a network with the plugin",
                fix="Correct what the message names: create_plugin, get_output_data_types or get_output_shapes.",
            ),
        )


@rule(
    "GEN-002",
    tool=Builder.NVIDIA,
    source=plugins.BUILT_TO_A_PLAN,
    interfaces=ALL_INTERFACES,
    level=1,
    requires={"GEN-001"},
    explained_by=_CAUSES,
)
def builder_makes_a_plan(subject: Subject) -> Iterator[Finding]:
    """NVIDIA's builder makes a plan of a network with the plugin.

    It asks for formats, tactics, workspace and fields. If an answer does not fit, there is no engine.
    """
    seen = outcomes(subject)
    for build, theirs in _ended(seen):
        if theirs.parsed:
            yield check(
                bool(theirs.plan),
                lambda: _refusal(
                    seen,
                    build,
                    theirs,
                    what="makes no plan of the plugin",
                    expected="a plan",
                    fix="Correct what the message names, such as supports_format_combination or get_valid_tactics.",
                ),
            )


@rule(
    "GEN-003",
    tool=Builder.NVIDIA,
    source=plugins.BUILDER_ENDS,
    interfaces=ALL_INTERFACES,
    level=1,
    explained_by=_CAUSES,
)
def builder_lives(subject: Subject) -> Iterator[Finding]:
    """NVIDIA's builder does not die in the build or when Python collects garbage, and its process exits with 0.

    A builder that reads a null pointer, or a plugin that is freed twice, ends the application without an exception.
    The plan may be complete by then.
    """
    seen = outcomes(subject)
    for build in seen.builds:
        yield Finding(_death(seen, build))


@rule(
    "GEN-004",
    tool=Builder.NVIDIA,
    source=plugins.BUILDER_LOGS,
    severity=Severity.WARNING,
    interfaces=ALL_INTERFACES,
    level=1,
    requires={"GEN-002"},
    explained_by=_CAUSES,
)
def builder_logs_no_error(subject: Subject) -> Iterator[Finding]:
    """NVIDIA's builder logs no error on the way to a plan.

    When a callback fails, the bindings write a line. The builder goes on with a default: a workspace of 0 bytes, or no
    fields. So the plan describes another plugin.
    """
    seen = outcomes(subject)
    for build, theirs in _planned(seen):
        errors = errors_of(theirs)
        yield check(not errors, lambda: _errors(seen, build, errors))


@rule(
    "GEN-005",
    tool=Builder.NVIDIA,
    source=plugins.BUILT_AGAIN,
    severity=Severity.WARNING,
    interfaces=ALL_INTERFACES,
    level=1,
    requires={"GEN-002"},
    explained_by=_CAUSES,
)
def builder_gets_the_same_answers_again(subject: Subject) -> Iterator[Finding]:
    """NVIDIA's builder gets the same answers when it builds the same model again.

    The rule compares whether a plan exists, and the types and shapes of outputs. It also compares the workspace for
    the same question, and the serialized fields. The bytes of two plans differ by themselves.
    """
    seen = outcomes(subject)
    for build, theirs in _planned(seen):
        yield Finding(next(_changes(seen, build, theirs), None))


@rule(
    "GEN-006",
    tool=Builder.NVIDIA,
    source=plugins.BUILT_ALIKE,
    severity=Severity.WARNING,
    interfaces=ALL_INTERFACES,
    level=1,
    requires={"GEN-002"},
    explained_by=_CAUSES,
)
def runtimes_agree(subject: Subject) -> Iterator[Finding]:
    """NVIDIA's builder and the reference runtime get the same answers, and make the same network and plan of them.

    The rule compares whether a plan exists, and the types and shapes of outputs. It also compares the workspace for the
    same question, and the serialized fields. A plugin whose answers differ depends on more than the questions.
    """
    seen = outcomes(subject)
    for build, theirs in _planned(seen):
        yield Finding(next(_differences(seen, build, theirs), None))


def _ended(seen: Outcomes) -> Iterator[tuple[Outcome, Seen]]:
    """Yield the builds whose process lived: how far other builds came is chance."""
    return ((build, build.theirs) for build in seen.builds if build.theirs is not None and build.death is None)


def _planned(seen: Outcomes) -> Iterator[tuple[Outcome, Seen]]:
    return ((build, theirs) for build, theirs in _ended(seen) if theirs.plan)


def _case(build: Outcome) -> str:
    return f"inputs of types {', '.join(build.types)}" if build.types else "no data inputs"


def _refusal(seen: Outcomes, build: Outcome, theirs: Seen, *, what: str, expected: str, fix: str) -> Violation:
    said = errors_of(theirs)
    places = [f"from ({PurePath(each.place).name})" for each in said[:1] if each.place]
    return Violation(
        what=f"{builder_of(seen)} {what}; it says: {said[0].text if said else 'nothing'}",
        where=_case(build),
        expected=expected,
        observed="; ".join([*places, *(each.text for each in said[1:2])]) or "no other message",
        fix=fix,
    )


def _death(seen: Outcomes, build: Outcome) -> Violation | None:
    death = build.death
    if death is None:
        return None
    return Violation(
        what=f"the process of {builder_of(seen)} {'hangs' if death.hangs else 'dies'}",
        where=_case(build),
        expected="a process that frees what is left of the build and ends with status 0",
        observed="; ".join(filter(None, (f"it {death.how} {death.when}", _last(death), death.words))),
        fix=_OF_THE_PARTS if death.is_late and not death.hangs else _OF_A_HANG if death.hangs else _OF_A_NULL,
    )


_OF_THE_PARTS = (
    "Let the object that get_capability_interface returns for BUILD refer to the plugin. TensorRT deletes the plugin; "
    "without that reference Python frees it once more."
)
_OF_A_NULL = (
    "Return an object of the right class from get_capability_interface, clone and attach_to_context each time. "
    "Derive from one build interface alone."
)
_OF_A_HANG = "Let the callback return. If it needs more time, raise --plugin-timeout."


def _last(death: Death) -> str:
    """Return the last callback; its line only if it may have been running."""
    if not death.callback:
        return ""
    place = f" ({PurePath(death.place).name})" if death.place and not death.is_late else ""
    return f"the last callback was {death.callback}{place}"


def _errors(seen: Outcomes, build: Outcome, errors: list[Message]) -> Violation:
    return Violation(
        what=f"{builder_of(seen)} says: {errors[0].text}",
        where=_case(build),
        expected="a build without messages of severity ERROR",
        observed=f"a plan, and {counted(len(errors), 'error message')}: {'; '.join(map(str, errors[:3]))}",
        fix="Let the callback that the message names return a value for every call of the builder.",
    )


def _changes(seen: Outcomes, build: Outcome, theirs: Seen) -> Iterator[Violation]:
    for what, first, again in differences(theirs, build.again):
        yield Violation(
            what=f"when {builder_of(seen)} builds the same model again, the plugin has another {what}",
            where=_case(build),
            expected=f"{first}, as in the first build",
            observed=again,
            fix="Compute each answer, and each serialized field, from the plugin's own fields and the arguments alone.",
        )


def _differences(seen: Outcomes, build: Outcome, theirs: Seen) -> Iterator[Violation]:
    for what, there, here in differences(theirs, build.ours):
        yield Violation(
            what=f"with the reference runtime, and not with {builder_of(seen)}, the plugin has another {what}",
            where=_case(build),
            expected=f"{there}, as with NVIDIA's builder",
            observed=here,
            fix="Let answers depend on the arguments and the plugin's fields alone, not on TensorRT's version.",
        )
