"""Write the line that says how often NVIDIA's builder and the reference runtime agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from harness.contract.verdict import Verdict
from harness.process.nvidia_packages import of_choice
from harness.results import left_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.results.report import AskedOptions

#: The rule that has a question for each build that was tried.
_TRIED: Final = "GEN-003"
#: The rule that has a question for each build that has a plan and whose process lived.
_AGREED: Final = "GEN-006"
_JUDGED: Final = {Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.XFAIL, Verdict.NOTE}


class JudgedRule(left_out.JudgedRule, Protocol):
    """What a report and a certificate say of a rule on a case, and how many questions it judged."""

    @property
    def evidence(self) -> int:
        """The number of questions judged."""

    @property
    def broken(self) -> int:
        """How many of them were answered wrongly."""


class JudgedCase(Protocol):
    """What a report and a certificate say of a case."""

    @property
    def rules(self) -> Sequence[JudgedRule]:
        """What was found."""


def built_too(options: AskedOptions, versions: Mapping[str, str], plugins: Sequence[JudgedCase]) -> str | None:
    """Return the line; None where no builder of NVIDIA's built anything."""
    package = of_choice(options.runtime)
    tried = sum(rule.evidence for rule in _rules(plugins, _TRIED))
    if package is None or not tried:
        return None
    agreed = sum(rule.evidence - rule.broken for rule in _rules(plugins, _AGREED))
    return f"built by NVIDIA's {package.label(versions)} too: {agreed} of {tried:,} builds agree"


def _rules(plugins: Sequence[JudgedCase], name: str) -> Iterator[JudgedRule]:
    return (rule for case in plugins for rule in case.rules if rule.id == name and rule.verdict in _JUDGED)
