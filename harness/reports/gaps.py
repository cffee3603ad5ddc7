"""List the gaps of a document: what was not judged, and what fails a run although no rule failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.contract.verdict import Verdict
from harness.results.defects import label_of
from harness.results.report import NOT_SELECTED
from harness.results.tally import Standing

if TYPE_CHECKING:
    from harness.results.report import Document


def gaps_of(document: Document) -> list[str]:
    """Return a line for each gap of the document, without repetitions.

    Gaps are an interruption, internal errors, plugins that are missing, INCOMPLETE, or without any rule that passed.
    """
    return list(dict.fromkeys(_gaps(document)))


def _gaps(document: Document) -> Iterator[str]:
    if document["status"] != "complete":
        yield "the run was interrupted: what it did not come to is not in here"
    for error in document["internal_errors"]:
        yield error.partition("\n")[0]
    for name in vanished_of(document):
        yield f"{name}: FAILS, the baseline judged it, and this run does not find it"
    for plugin in document["plugins"]:
        name = f"{label_of(plugin)}, case {plugin['case']}"
        if plugin["verdict"] == Standing.INCOMPLETE.value:
            not_run_ids = {
                f"{plugin['id']}::{result['id']}"
                for result in plugin["rules"]
                if result["verdict"] == Verdict.NOT_RUN.value
            }
            reasons = [
                entry["reason"]
                for entry in document["not_run"]
                if entry["id"].rpartition("::")[0] == plugin["id"] and entry["id"] not in not_run_ids
                if entry["reason"] != NOT_SELECTED
            ]
            distinct = "; ".join(dict.fromkeys(reasons))
            yield f"{name}: INCOMPLETE, {len(reasons)} of its rules were not judged: {distinct}"
        elif plugin["verdict"] == Standing.FAILS.value and not any(result["fails"] for result in plugin["rules"]):
            yield f"{name}: no rule passed, so it FAILS"


def vanished_of(document: Document) -> list[str]:
    """Return the plugins that the baseline judged and the run does not find; any of them fails the run."""
    return list((document.get("baseline") or {}).get("vanished", ()))
