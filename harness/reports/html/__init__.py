"""Write the report as one page of HTML that needs no other file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.results.report import Document


def render(document: Document) -> str:
    """Return the page of a document; a document with the appendix also shows traces, latencies and witnesses."""
    from harness.reports.html import page  # noqa: PLC0415 - most runs write no page

    return page.render(document)
