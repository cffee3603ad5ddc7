"""Write each requested report as a whole or not at all."""

from __future__ import annotations

import functools
import json
import os
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import structs

from harness.config.report_targets import STDOUT, ReportFormat
from harness.process.temporary import hidden_beside
from harness.reports import github, html, markdown, perfetto, sarif

if TYPE_CHECKING:
    from harness.config.report_targets import ReportTarget
    from harness.results.report import Document

Made = TypeVar("Made")

#: The function that makes the text of each format.
RENDERERS: Mapping[ReportFormat, Callable[[Document], str]] = {
    ReportFormat.JSON: lambda document: json.dumps(document, indent=1, allow_nan=False) + "\n",
    ReportFormat.SARIF: sarif.render,
    ReportFormat.GITHUB: github.render,
    ReportFormat.MARKDOWN: markdown.render,
    ReportFormat.HTML: html.render,
    ReportFormat.PERFETTO: perfetto.render,
}
#: The formats that also show the appendix: traces, latencies and witnesses.
WITH_APPENDIX = frozenset({ReportFormat.HTML, ReportFormat.PERFETTO})
#: The environment variable in which GitHub Actions names the file of the job summary.
_SUMMARY = "GITHUB_STEP_SUMMARY"


class Trouble(msgspec.Struct, frozen=True):
    """A report that was not written.

    Attributes:
        text: The error, in one line.
        internal: Whether the harness is at fault.
    """

    text: str
    internal: bool = False


class Written(msgspec.Struct, frozen=True):
    """The result of writing the reports.

    Attributes:
        troubles: The reports that were not written.
        shown: The texts for standard output, which the caller prints.
    """

    troubles: tuple[Trouble, ...] = ()
    shown: tuple[str, ...] = ()


def attempt(name: str, make: Callable[[], Made]) -> Made | Trouble:
    """Return what ``make`` returns, or its exception as a :class:`Trouble`: the other reports are still written."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001 - any exception is a fault of the harness, and reported so
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Trouble(f"{name} failed by itself; please report this: {text} ({where})", internal=True)


def write(
    targets: Sequence[ReportTarget], document: Document, appendix: Callable[[], Document] | None = None
) -> Written:
    """Write the requested reports; the whole text of a report is made before its file is written.

    If annotations for GitHub go to standard output, the job summary of the step gets a text, too.

    Args:
        targets: The reports.
        document: The document of the run.
        appendix: Returns the data to add to the document for formats that show them. It takes time, so it is called at
            most once, after the other reports are written.
    """
    rich = [target for target in targets if target.format in WITH_APPENDIX]
    written = _written([target for target in targets if target not in rich], document)
    more = attempt("the appendix of the reports", appendix) if rich and appendix else {}
    if isinstance(more, Trouble):
        return structs.replace(written, troubles=(*written.troubles, more))
    others = _written(rich, {**document, **more})
    return Written((*written.troubles, *others.troubles), (*written.shown, *others.shown))


def _written(targets: Sequence[ReportTarget], document: Document) -> Written:
    made = [
        (target, attempt(f"the {target.format.value} report", functools.partial(RENDERERS[target.format], document)))
        for target in targets
    ]
    summary = _job_summary(targets, document)
    troubles = [content for content in (*(each for _, each in made), summary) if isinstance(content, Trouble)]
    shown = [content for target, content in made if target.path == STDOUT and isinstance(content, str)]
    for target, content in made:
        if target.path != STDOUT and isinstance(content, str):
            troubles += _trouble(f"the report {target.path}", replace, target.path, content)
    if isinstance(summary, str):
        troubles += _trouble("GitHub's job summary", _append, Path(os.environ[_SUMMARY]), summary)
    return Written(tuple(troubles), tuple(shown))


def _job_summary(targets: Sequence[ReportTarget], document: Document) -> str | Trouble | None:
    """Return the text to append to the job summary of a step of GitHub Actions, or None."""
    is_annotated = any(target.format is ReportFormat.GITHUB and target.path == STDOUT for target in targets)
    file = os.environ.get(_SUMMARY, "")
    if not is_annotated or not file:
        return None
    size = Path(file).stat().st_size if Path(file).is_file() else 0
    return attempt("GitHub's job summary", lambda: github.summary(document, size))


def _trouble(name: str, put: Callable[[Path, str], None], path: Path, content: str) -> list[Trouble]:
    try:
        put(path, content)
    except OSError as error:
        return [Trouble(f"{name} could not be written: {error}")]
    return []


def _append(path: Path, content: str) -> None:
    with path.open("ab") as file:
        file.write(_bytes(content))


def replace(path: Path, content: str) -> None:
    """Replace a file atomically: a reader sees the old or the new content, even if this process is killed.

    The content goes into a file without a name, which gets the name ``path`` when it is complete. If the file system
    does not support files without a name, the file has a hidden name until then. If ``path`` is no regular file (like
    ``/dev/stdout``), the content is written to it directly.

    Raises:
        OSError: The file cannot be written; the old file is unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(_bytes(content))
        return
    hidden = hidden_beside(path)
    try:
        data = _bytes(content)
        if not _write_unnamed(hidden, data):
            with hidden.open("xb") as file:
                file.write(data)
        hidden.replace(path)
    except OSError:
        hidden.unlink(missing_ok=True)
        raise


def _write_unnamed(name: Path, content: bytes) -> bool:
    """Write a file without a name, then name it; return False if the file system does not support this."""
    try:
        descriptor = os.open(name.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:  # if the folder itself is the reason, a named file fails as well and says so
        return False
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        try:
            # Only with ``src_dir_fd`` does Python follow the link in /proc; the path is absolute, so no folder is used.
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor)
        except OSError:
            return False
    return True


def _bytes(content: str) -> bytes:
    return content.encode("utf-8", errors="backslashreplace")
