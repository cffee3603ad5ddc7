"""Group the entries of a document by plugin: the document has one entry for each case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from harness.contract.verdict import WORST_FIRST
from harness.reports.html.markup import Html, element
from harness.results.report import plugin_verdict
from harness.results.tally import Standing

if TYPE_CHECKING:
    from harness.results.report import Document

#: Verdicts of plugins and of rules, in the order of precedence: the first of these that any case has counts.
STANDINGS: Final = tuple(standing.value for standing in Standing)
VERDICTS: Final = tuple(verdict.value for verdict in WORST_FIRST)
_GOOD = ("PASS", "CONFORMS")
_BAD = ("FAIL", "FAILS", "XPASS")
_NEUTRAL = ("N/A",)


class Plugin(msgspec.Struct, frozen=True):
    """One plugin, or application, with its entries of the document."""

    label: str
    cases: tuple[dict[str, Any], ...]

    @property
    def first(self) -> dict[str, Any]:
        """Return the first case, for facts that are equal in all cases."""
        return self.cases[0]

    @property
    def is_application(self) -> bool:
        """Return whether the subject is an application, which builds and runs its own engines."""
        return bool(self.first["interface"] == "application")

    @property
    def verdict(self) -> str:
        """Return the plugin's verdict over all its cases."""
        return worst(map(plugin_verdict, self.cases), STANDINGS)

    def rules(self) -> dict[str, list[tuple[dict[str, Any], dict[str, Any]]]]:
        """Return, by the rule's id, the pairs of a case and the rule's entry on it."""
        entries: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
        for case in self.cases:
            for rule in case["rules"]:
                entries.setdefault(rule["id"], []).append((case, rule))
        return dict(sorted(entries.items()))


def plugins_of(document: Document) -> list[Plugin]:
    """Return the plugins, in the order of the document."""
    by_label: dict[str, list[dict[str, Any]]] = {}
    for entry in document["plugins"]:
        by_label.setdefault(entry["id"].split("::")[1], []).append(entry)
    return [Plugin(label, tuple(cases)) for label, cases in by_label.items()]


def worst(verdicts: Any, order: tuple[str, ...]) -> str:
    """Return the first word of ``order`` that is among the verdicts; if none is, the first verdict."""
    words = list(verdicts)
    return next((word for word in order if word in words), words[0] if words else "")


def case_title(nodeid: str) -> str:
    """Return a case's node id as a title: plugin and case."""
    return nodeid.removeprefix("conformance::").removesuffix("::").replace("::", " · ")


def badge(word: str) -> Html:
    """Return a verdict as a badge, with a colour for its kind."""
    kind = "good" if word in _GOOD else "bad" if word in _BAD else "quiet" if word in _NEUTRAL else "fair"
    return element("span", word, class_=f"badge {kind}")


def known(entry: Mapping[str, Any]) -> Html | None:
    """Return the note beside a verdict that the baseline has; None if the baseline does not have it."""
    return element("small", " known from the baseline") if entry.get("known") else None


def anchor(*words: str) -> str:
    """Return an ``id`` for a place in the page: letters, digits and dashes stay, other characters become numbers."""
    return "-".join(re.sub("[^a-zA-Z0-9-]", lambda other: f"_{ord(other[0]):x}", word) for word in words)
