"""Writes the reports that a run was asked for, each as a whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING

from harness.options import ReportFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from harness.options import ReportTarget
    from harness.reports.document import Document

__all__ = ["replace", "write"]


def _json(document: Document) -> str:
    return json.dumps(document, indent=1) + "\n"


#: What makes the text of a report, by format.
RENDERERS: Mapping[ReportFormat, Callable[[Document], str]] = {ReportFormat.JSON: _json}


def write(targets: Iterable[ReportTarget], document: Document) -> list[str]:
    """Write the reports that were asked for; return what went wrong, a line each."""
    return [trouble for target in targets if (trouble := _trouble(target, document))]


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
