"""Write the report as one page of HTML that needs no other file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.results.report import Document


def render(document: Document) -> str:
    """Return the page of a document; with the appendix it has traces, latencies and witnesses too."""
    from harness.reports.html import page  # noqa: PLC0415 - most runs ask for no page, and need not load its parts

    return page.render(document)
