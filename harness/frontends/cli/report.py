"""Run ``trt-conformance report``: write reports in other formats from a stored JSON report."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.config.report_targets import ReportFormat, ReportTarget, ReportTargetError
from harness.contract.codec import FormError
from harness.frontends.cli.parser import USAGE

if TYPE_CHECKING:
    import argparse

    from harness.results.report import Document

#: Exit statuses, as pytest has them.
_NOT_WRITTEN, _INTERNAL = 1, 3


class StoredReportError(Exception):
    """The stored report cannot be used; the message says why, and what to do."""


def declare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its arguments."""
    report = commands.add_parser(
        "report",
        help="make other reports of a stored JSON report",
        description="Make other reports of a stored JSON report: json, sarif, github, markdown or html.",
        epilog="Exit status: 0 all are written, 1 one could not be, 4 usage, or no report.",
    )
    report.add_argument("file", type=Path, metavar="REPORT.json", help="what --plugin-report=json:REPORT.json wrote")
    report.add_argument(
        "targets", nargs="+", metavar="FORMAT:PATH", help="as --plugin-report; the path - is standard output"
    )


def make(namespace: argparse.Namespace) -> int:
    """Write the reports that the command line names; return the exit status."""
    from harness.reports import writing  # noqa: PLC0415 - other commands need not load it

    try:
        targets = _targets(namespace.targets, namespace.file)
        document = read(namespace.file)
    except (ReportTargetError, StoredReportError) as error:
        sys.stderr.write(f"trt-conformance: error: {error}\n")
        return USAGE
    written = writing.write(targets, document)
    sys.stdout.write("".join(written.shown))
    for trouble in written.troubles:
        sys.stderr.write(f"trt-conformance: error: {trouble.text}\n")
    if any(trouble.internal for trouble in written.troubles):
        return _INTERNAL
    return _NOT_WRITTEN if written.troubles else 0


def _targets(words: Sequence[str], file: Path) -> list[ReportTarget]:
    """Return the reports to write.

    Raises:
        ReportTargetError: A word is malformed, names a file twice, or asks for traces.
        StoredReportError: A target is the stored report itself.
    """
    targets: list[ReportTarget] = []
    for word in words:
        try:
            target = ReportTarget.parse(word, Path.cwd())
            ReportTarget.refuse_twice([*targets, target])
        except ReportTargetError as error:
            raise ReportTargetError(f"{word}: {error}") from error
        if target.format is ReportFormat.PERFETTO:
            raise ReportTargetError(
                f"{word}: it shows traces, which a stored report does not hold; have the run write it: "
                f"--plugin-report={word}"
            )
        targets.append(target)
    if any(target.path.exists() and file.exists() and target.path.samefile(file) for target in targets):
        raise StoredReportError(f"a report from {file} would replace it: name another file")
    return targets


def read(file: Path) -> Document:
    """Return a stored JSON report.

    Raises:
        StoredReportError: The file cannot be read, is damaged, or is no report of the schema that this version reads.
    """
    from harness.reports import plain  # noqa: PLC0415 - as above
    from harness.results.report import SCHEMA, Report  # noqa: PLC0415 - as above

    plain_report = _json(file)
    if not isinstance(plain_report, dict) or "schema" not in plain_report:
        raise StoredReportError(f"{file} is no report: name a file that --plugin-report=json:PATH wrote")
    if plain_report["schema"] != SCHEMA:
        raise StoredReportError(
            f"{file} is a report of schema {plain_report['schema']!r}, and this version reads schema {SCHEMA}. "
            "Use the version that wrote it, or certify again"
        )
    try:
        report = Report.from_plain(plain_report)
        for rule in (rule.id for plugin in report.plugins for rule in plugin.rules):
            if rule not in report.rules:
                raise FormError(f"has no {rule!r}", "rules")  # noqa: TRY301 - reported like the errors of from_plain
    except FormError as error:
        raise StoredReportError(f"{file} is no valid report: {error}; certify again, with this version") from error
    document: Document = plain.presentable(report.to_plain())
    return document


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except OSError as error:
        raise StoredReportError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise StoredReportError(f"{file} is damaged or no JSON: {error}; certify again to have it written") from error
