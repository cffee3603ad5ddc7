"""FUZ: an application's calls in any legal order, with several engines and contexts at the same time.

An example is a program of an application, written by a state machine: see `harness.strategies.programs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, COMPUTES
from conformance.rules.fuzzing.threads import wrong_alone
from conformance.sources import plugins
from harness.checks.engines.programs import lived
from harness.checks.running.reference_execution import ReferenceExecution
from harness.contract.finding import Finding, NotRun, Violation, check
from harness.contract.rule import DECORATED, DYNAMIC, rule
from harness.strategies.shapes import programs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

#: What says the same of one plugin, of two contexts, or of one order.
STRAIGHT = frozenset(
    {
        "CAP-002",
        "FUZ-003",
        "FUZ-004",
        "FUZ-006",
        "CFG-001",
        "CFG-008",
        "CFG-009",
        "CLN-007",
        "CLN-008",
        "CLN-015",
        "CRE-012",
    }
    | {"DST-002", "DST-003", "DST-005", "DST-007", "ENQ-003", "ENQ-007", "ENQ-011", "ENQ-017", "RES-004", "RES-005"}
    | {"RES-006", "RES-012", "SER-003", "SER-004", "SER-007", "SER-008", "TAC-004", "THR-003", "WSP-002", "WSP-008"}
)


@rule(
    "FUZ-009",
    source=plugins.THREAD_CONTEXTS,
    interfaces=DYNAMIC | DECORATED,
    requires=COMPUTES | CLONES | STRAIGHT,
    strategy=programs,
    explained_by={"FUZ-010"},
)
def any_legal_order_gives_the_same(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """Each execution gives the right results in any legal order of the application's calls.

    A server builds, saves and loads engines, and makes, runs and drops contexts as requests come. State that a
    plugin shares between its objects, counts, or keeps between calls has to work in every order.
    """
    if not example["program"]:
        raise NotRun("the program has no steps")
    story, solo = lived(subject, example), ReferenceExecution(subject)
    yield from _nothing_else_happened(story.trespasses, story.races, story.again)
    solo.check_types(story.types)
    for execution in story.executions:
        difference = solo.difference(execution.shapes, execution.inputs, execution.outputs)
        if difference and solo.is_wrong_alone(execution.shapes, execution.inputs):
            yield Finding(wrong_alone(execution.where, str(difference)))
            continue
        yield check(
            difference is None,
            lambda: Violation(
                what="enqueue computed wrong outputs after earlier calls",
                where=f"{execution.where}; {difference.where if difference else ''}",
                expected=f"{difference.expected if difference else ''}, {solo.source}",
                observed=str(difference),
                fix="Do not let an object depend on other objects of its class, or on their number.",
            ),
        )


def _nothing_else_happened(trespasses: list[str], races: list[str], again: list[str]) -> Iterator[Finding]:
    yield check(
        not trespasses,
        lambda: Violation(
            what="the plugin accessed freed memory, or memory that does not belong to the tensors of the call",
            where=trespasses[0],
            expected="accesses within the tensors of the call and the plugin's own memory",
            observed="; ".join(trespasses[:3]),
            fix="Use only the addresses of the call, and free shared memory when its last user ends.",
        ),
    )
    yield check(
        not races,
        lambda: Violation(
            what="executions on different streams use the same memory, and neither waits for the other",
            where="contexts for which the application has not waited",
            expected="separate memory for each context, or shared memory that no context writes",
            observed="; ".join(races[:3]),
            fix="Keep what enqueue writes in the workspace, or in the object of the context.",
        ),
    )
    yield check(
        not again,
        lambda: Violation(
            what="clone or attach_to_context returned the same object twice",
            where=again[0],
            expected="a new object each time: TensorRT destroys each one",
            observed="; ".join(again[:3]),
            fix="Make a new object in clone and attach_to_context; share large data, not the plugin.",
        ),
    )
