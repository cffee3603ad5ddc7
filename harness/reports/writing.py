"""Writes the reports that a run was asked for, each as a whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING

from harness.options import ReportFormat
from harness.reports import html, perfetto

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from harness.options import ReportTarget
    from harness.reports.document import Document

__all__ = ["replace", "write"]


def _json(document: Document) -> str:
    return json.dumps(document, indent=1) + "\n"


#: What makes the text of a report, by format.
RENDERERS: Mapping[ReportFormat, Callable[[Document], str]] = {
    ReportFormat.JSON: _json,
    ReportFormat.HTML: html.render,
    ReportFormat.PERFETTO: perfetto.render,
}
#: The formats that show what is in the appendix too: traces, latencies and witnesses.
WITH_APPENDIX = frozenset({ReportFormat.HTML, ReportFormat.PERFETTO})


def write(
    targets: Iterable[ReportTarget], document: Document, appendix: Callable[[], Document] | None = None
) -> list[str]:
    """Write the reports that were asked for; return what went wrong, a line each.

    Args:
        targets: The reports.
        document: What they say.
        appendix: What to add to the document for those formats that show it. It takes time, and is asked for once, if
            at all, when the other reports are there.
    """
    first = [target for target in targets if target.format not in WITH_APPENDIX]
    last = [target for target in targets if target.format in WITH_APPENDIX]
    troubles = [_trouble(target, document) for target in first]
    if last:
        more = {**document, **(appendix() if appendix else {})}
        troubles += [_trouble(target, more) for target in last]
    return list(filter(None, troubles))


def _trouble(target: ReportTarget, document: Document) -> str:
    """Write one report; return what went wrong, or nothing."""
    try:
        replace(target.path, RENDERERS[target.format](document))
    except OSError as error:
        return f"the report {target.path} could not be written: {error}"
    return ""


def replace(path: Path, content: str) -> None:
    """Write a file so that whoever reads it sees the old one or the whole new one.

    Raises:
        OSError: It cannot be written; the old one is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())  # noqa: PTH101 - mkstemp gave a name, and 0600 is not what others write
        os.replace(name, path)  # noqa: PTH105 - as above
    except OSError:
        os.unlink(name)  # noqa: PTH108 - as above
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
