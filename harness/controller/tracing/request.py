"""Ask a child for the trace of a case, and read what it recorded, even if its process dies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Kind
from harness.controller.tracing.read import read
from harness.process.temporary import temporary_folder
from harness.protocol.asked import IsolationError
from harness.protocol.requests import RequestKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.contract.verdict import Answer
    from harness.protocol.messages import Request

COMPLETE, PARTIAL, MISSING = "complete", "partial", "missing"


def trace(ask: Callable[[Request], Answer], request: Request) -> dict[str, Any]:
    """Return the trace of one case: ``status``, ``note`` (why it is not complete), and the parts that ``read`` returns.

    If the drive crashes, hangs or stops, the trace has the calls before that. A trace is no verdict.

    Args:
        ask: Sends a request to the child of the case's module.
        request: The request for the plugin, the case and the seed.
    """
    with temporary_folder() as folder:
        file = Path(folder) / "trace.jsonl"
        note = _note(ask, request.asking(RequestKind.TRACE, str(file)))
        lines = file.read_text("utf-8", errors="replace").splitlines() if file.is_file() else []
        parts = read(lines)
    if not parts["calls"]:
        return missing(note or "no callback was called")
    return {"status": PARTIAL if note else COMPLETE, "note": note, **parts}


def missing(why: str) -> dict[str, Any]:
    """Return an empty trace, whose note says why it is missing."""
    return {"status": MISSING, "note": why, **read(())}


def _note(ask: Callable[[Request], Answer], request: Request) -> str:
    """Send the request; return why the trace is not complete, or an empty text."""
    try:
        answer = ask(request)
    except (IsolationError, OSError) as error:
        return f"the drive could not be made: {error}"
    if answer.kind is Kind.MET and answer.mishap:
        return f"{answer.mishap.callback} {answer.mishap.how}"
    if answer.kind is Kind.JUDGED and not answer.payload:
        return ""
    return f"the drive stopped: {answer.payload or answer.reason or answer.kind.value}"
