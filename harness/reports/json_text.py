"""The JSON report: the document as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.results.report import Document


def render(document: Document) -> str:
    """Return the document as text, in ASCII."""
    return json.dumps(document, indent=1, allow_nan=False) + "\n"
