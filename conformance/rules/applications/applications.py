"""APP: an application as a whole. This family is ours: it says how a run ended, where no rule of TensorRT's does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import APPLICATIONS, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

#: What an exception at the end of a run may follow from: then it has been told already.
_CAUSES = (
    *(f"CTX-{number:03}" for number in (1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 14, 15, 16, 18, 20, 21)),
    *(f"OA-{number:03}" for number in (1, 2, 3, 4, 5, 7, 9)),
    *("NET-001", "NET-002", "NET-008", "REG-003", "REG-008", "PFD-012"),
)


@rule(
    "APP-001",
    level=1,
    source=sources.RUN,
    interfaces=APPLICATIONS,
    requires=_CAUSES,
    owns={"application"},
)
def application_comes_to_its_end(application: Application) -> Iterator[Finding]:
    """The application runs to its end: it raises nothing, returns in time and does not end the process.

    Other rules judge what it did until then. If one of them fails, the exception may follow from that.
    """
    ending = application.ending
    yield check(
        not ending.error,
        lambda: Violation(
            what=f"the application raised {ending.error}{_before(ending.hidden)}",
            where=f"{ending.site}",
            expected=f"{application.name} returns",
            observed=ending.stack,
            fix="Correct the line that raised. The captured output has what TensorRT logged.",
        ),
    )


def _before(hidden: str) -> str:
    return f"; before that, {hidden}, which TensorRT only logs" if hidden else ""
