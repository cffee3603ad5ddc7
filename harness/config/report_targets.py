"""Parse the values of ``--plugin-report``, ``FORMAT:PATH``, and check that the report can be written."""

from __future__ import annotations

import enum
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from harness.contract.suggestions import suggestion


class ReportFormat(enum.Enum):
    """The formats in which a report can be written."""

    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    MARKDOWN = "markdown"
    HTML = "html"
    PERFETTO = "perfetto"


#: The path that means standard output.
STDOUT = Path("-")
#: Endings of files that people write by hand; no report replaces them.
_SOURCES = {".cfg", ".ini", ".onnx", ".py", ".pyi", ".toml"}


class ReportTargetError(ValueError):
    """``FORMAT:PATH`` names no report that can be written; the message says what to do."""


class ReportTarget(msgspec.Struct, frozen=True):
    """One report to write; its path is absolute, or :data:`STDOUT`."""

    format: ReportFormat
    path: Path

    @classmethod
    def parse(cls, text: str, folder: Path) -> ReportTarget:
        """Return the report for ``FORMAT:PATH``; the path is relative to ``folder``.

        Raises:
            ReportTargetError: The format does not exist, or no file can be written to the path.
        """
        name, colon, path = text.partition(":")
        known = [member.value for member in ReportFormat]
        if name.startswith("junit"):
            raise ReportTargetError(
                f"pytest writes JUnit XML itself: use --junitxml={path or 'PATH'}; our verdicts are properties of its "
                "test cases"
            )
        if not colon or not path:
            raise ReportTargetError("write it as FORMAT:PATH, for example json:report.json")
        if name not in known:
            raise ReportTargetError(f"unknown format; choose from {', '.join(known)}{suggestion(name, known)}")
        if path == str(STDOUT):
            return cls(ReportFormat(name), STDOUT)
        target = folder / Path(path).expanduser()
        problem = _why_unwritable(target)
        if problem:
            raise ReportTargetError(problem)
        return cls(ReportFormat(name), target)

    @staticmethod
    def refuse_twice(targets: Sequence[ReportTarget]) -> None:
        """Refuse two reports with the same path.

        Raises:
            ReportTargetError: Two reports have the same path.
        """
        seen: dict[Path, ReportFormat] = {}
        for target in targets:
            place = target.path if target.path == STDOUT else target.path.resolve()
            if place in seen:
                formats = f"{seen[place].value} and {target.format.value}"
                raise ReportTargetError(f"two reports, {formats}, would be written to {target.path}: name two files")
            seen[place] = target.format


def replaces_source(target: Path) -> str:
    """Return why a report must not replace a file that is written by hand; empty if it may be written."""
    if target.suffix in _SOURCES and target.is_file():
        return f"{target} is there and is no report: it would be lost; name another file"
    return ""


def _why_unwritable(target: Path) -> str:
    """Return why no report can be written to a path, as far as that is known without writing; else empty."""
    if target.is_dir():
        return f"{target} is a folder; name a file in it"
    if problem := replaces_source(target):
        return problem
    if target.exists() and not target.is_file():  # a device or a pipe is written to directly
        return "" if os.access(target, os.W_OK) else f"{target} cannot be written to"
    folder = next(each for each in target.parents if os.path.lexists(each))
    if not folder.is_dir():
        return f"{folder} is no folder, so there can be no {target}"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"no file can be made in the folder {folder}"
