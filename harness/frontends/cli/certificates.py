"""Run the commands ``certify``, ``verify`` and ``badge`` of ``trt-conformance``, and print their results."""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.certificate import badge, inner
from harness.certificate.files import FileError, Files, known_before
from harness.certificate.issuing import certificate_of
from harness.certificate.places import PlaceError, few
from harness.certificate.statement import CertificateResult, Statement
from harness.certificate.verifying import CheckedCertificate, Demands, Installed, check
from harness.config.report_targets import replaces_source
from harness.contract import catalogue, extra_tools
from harness.contract.codec import to_plain
from harness.contract.suggestions import suggestion
from harness.contract.verdict import Verdict
from harness.contract.wording import counted
from harness.frontends.cli import certificate_arguments
from harness.frontends.cli.parser import USAGE
from harness.reports import writing

if TYPE_CHECKING:
    import argparse

    from harness.config.options import Options
    from harness.frontends.cli.parser import Parser

_INTERNAL = 3
_INTERRUPTED = 2
#: The verdicts whose rules ``verify`` lists, each with its words.
_LISTED = {
    Verdict.XFAIL: "broken, as was expected",
    Verdict.WARN: "with a warning",
    Verdict.NOTE: "with a note",
    Verdict.BLOCKED: "not judged, because they require a rule that failed",
    Verdict.NOT_RUN: "not judged",
}
_SIGNATURE = (
    "The digest shows accidental edits only: anyone can recompute it. "
    "Only a signature shows the issuer (docs/certificate.md)."
)


class NothingWrittenError(Exception):
    """No certificate was written; the arguments are the exit status and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(status, why)
        self.status, self.why = status, why


def issue(arguments: Sequence[str]) -> int:
    """Certify plugins, and write the certificate; return the exit status."""
    parser = certificate_arguments.certify_parser()
    _check_folder(parser)
    namespace = parser.parse(arguments)
    options = certificate_arguments.options_of(parser, namespace)
    _check_place(parser, namespace, options)
    _time_of_issue(parser)  # before the run, so that an error in SOURCE_DATE_EPOCH is reported at once
    if stray := inner.stray_variables():
        sys.stderr.write(f"{parser.prog}: not taken from the environment: {', '.join(stray)}\n")
    try:
        statement = _certified(parser, options, namespace)
        writing.replace(namespace.output, json.dumps(to_plain(statement), indent=1) + "\n")
    except NothingWrittenError as nothing:
        sys.stderr.write(f"{parser.prog}: no certificate was written: {nothing.why}\n")
        return nothing.status
    except OSError as error:
        sys.stderr.write(f"{parser.prog}: no certificate was written: {error}\n")
        return _INTERNAL
    except KeyboardInterrupt:
        sys.stderr.write(f"{parser.prog}: no certificate was written: the run was interrupted\n")
        return _INTERRUPTED
    sys.stdout.write(_text_of_new(namespace.output, statement))
    return int(statement.predicate.result is CertificateResult.FAILED)


def verify(arguments: Sequence[str]) -> int:
    """Check a certificate, and print the reasons against it; return the exit status."""
    parser = certificate_arguments.verify_parser()
    namespace = parser.parse(arguments)
    demands = Demands(
        place=_absolute(namespace.plugin),
        max_age=namespace.max_age,
        level=namespace.level,
        require=tuple(part.strip() for word in namespace.require for part in word.split(",") if part.strip()),
        other_rules=namespace.other_rules,
    )
    checked = _checked(parser, namespace.certificate, demands)
    against = (*checked.problems, *checked.shortcomings)
    if against or checked.statement is None:
        head = "INVALID" if checked.problems else "INTACT, AND NO CONFORMITY"
        sys.stdout.write("\n  ".join([f"{head}  {namespace.certificate}", *against]) + "\n")
        return 1
    sys.stdout.write(_text_of_valid(namespace.certificate, checked.statement, namespace))
    return 0


def draw(arguments: Sequence[str]) -> int:
    """Verify a certificate and draw its badge; return the exit status."""
    parser = certificate_arguments.badge_parser()
    namespace = parser.parse(arguments)
    _check_existing(parser, namespace.output)
    if (
        namespace.output.exists()
        and namespace.certificate.exists()
        and namespace.output.samefile(namespace.certificate)
    ):
        parser.error(
            f"-o {namespace.output}: this is the certificate, which the badge would replace; name another file"
        )
    checked = _checked(
        parser, namespace.certificate, Demands(_absolute(namespace.plugin), other_rules=namespace.other_rules)
    )
    message, colour = badge.words(checked)
    try:
        writing.replace(namespace.output, badge.svg(message, colour))
    except OSError as error:
        parser.error(f"-o {namespace.output}: {error}")
    sys.stdout.write(f"{namespace.output}: TensorRT plugin | {message}\n")
    sys.stdout.writelines(f"  {problem}\n" for problem in checked.problems)
    return int(bool(checked.problems))


def _certified(parser: Parser, options: Options, namespace: argparse.Namespace) -> Statement:
    """Run pytest, and return the certificate of the run.

    Raises:
        NothingWrittenError: The run was interrupted, failed or judged nothing, or files changed meanwhile.
    """
    home = Path.cwd()
    further = [file for file in (*options.onnx, options.expected_failures) if file]
    before, began = known_before(options, further, home), time.time_ns()
    ended = inner.run(options, workers=namespace.workers or "", color=namespace.color)
    document = _complete(ended)
    if document["options"] != options.to_plain():
        differing = [name for name, value in options.to_plain().items() if document["options"].get(name) != value]
        raise NothingWrittenError(_INTERNAL, f"the run took from elsewhere: {', '.join(differing)}; please report this")
    try:
        files = Files.of(document["sources"], further, home)
        _insist_on_unchanged(files, before, began)
    except FileError as error:
        raise NothingWrittenError(1, str(error)) from error
    imported = {source["given"] for source in document["sources"]}
    if missing := [name for name in options.subjects if name not in imported]:
        why = f"{missing[0]} could not be imported, so its files are unknown; the report says why"
        raise NothingWrittenError(1, why)
    installed = catalogue.load(extra_tools.ALL)
    statement = certificate_of(document, files, installed, issued=_time_of_issue(parser), url=namespace.url)
    if (ended.status == 0) is (statement.predicate.result is CertificateResult.FAILED):
        why = f"the run ended with {ended.status}, and its verdicts say {statement.predicate.result.value}"
        raise NothingWrittenError(_INTERNAL, f"{why}; please report this")
    return statement


def _complete(ended: inner.Ended) -> dict[str, Any]:
    """Return the report of a complete run.

    Raises:
        NothingWrittenError: The run was interrupted, or ended without a report.
    """
    if ended.status in {0, 1} and ended.document is not None and ended.document["status"] == "complete":
        return ended.document
    if ended.status == _INTERRUPTED or (ended.document is not None and ended.document["status"] != "complete"):
        raise NothingWrittenError(_INTERRUPTED, "the run was interrupted")
    if ended.status == USAGE:
        raise NothingWrittenError(USAGE, "see the error above")
    if ended.status == 5:  # noqa: PLR2004 - pytest's status if there is no test
        raise NothingWrittenError(1, "there was nothing to judge")
    how = f"by signal {-ended.status}" if ended.status < 0 else f"with {ended.status}"
    raise NothingWrittenError(_INTERNAL, f"the run ended {how}, without a report")


def _insist_on_unchanged(files: Files, before: dict[Path, str], began: int) -> None:
    """Refuse files that changed since the run began: compare their digests, or the times of change of new files.

    Raises:
        FileError: A file changed, or was removed.
    """
    for file, digest in files.digests.items():
        if digest != before[file] if file in before else file.stat().st_ctime_ns > began:
            raise FileError(f"{file} changed while it was certified: certify again, and let nothing write there")
    for file in before:
        if any(folder in file.parents for folder in files.packages) and not file.is_file():
            raise FileError(f"{file} was removed while it was certified: certify again, and let nothing write there")


def _check_existing(parser: Parser, output: Path) -> None:
    """Refuse an output that is a folder, or that would replace a source file."""
    if output.is_dir():
        parser.error(f"-o {output}: this is a folder; name a file in it")
    if problem := replaces_source(output):
        parser.error(f"-o: {problem}")


def _check_folder(parser: Parser) -> None:
    """Refuse to work in a folder that was removed or that this user cannot read: pytest fails there."""
    try:
        os.scandir(Path.cwd()).close()
    except OSError as error:
        parser.error(f"the current folder cannot be read: {error.strerror}; change to another folder")


def _check_place(parser: Parser, namespace: argparse.Namespace, options: Options) -> None:
    """Before the run, refuse an output that cannot be written, and ``-n`` without pytest-xdist."""
    folder = Path(os.path.abspath(namespace.output)).parent  # noqa: PTH100 - the folder may not exist yet
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        parser.error(f"-o {namespace.output}: cannot write into {folder}")
    if namespace.workers and importlib.util.find_spec("xdist") is None:
        parser.error(f"-n {namespace.workers} needs pytest-xdist: pip install pytest-xdist")
    _refuse_what_is_certified(parser, namespace.output, options)
    _check_existing(parser, namespace.output)


def _refuse_what_is_certified(parser: Parser, output: Path, options: Options) -> None:
    target = Path(os.path.abspath(output))  # noqa: PTH100 - the file may not exist yet
    for file in known_before(options, (), Path.cwd()):
        package = file.parent if file.name == "__init__.py" else None
        if target == file or (package is not None and package in target.parents):
            parser.error(
                f"-o {output}: this is among the files that are certified, so writing it would change them: "
                "name a file elsewhere"
            )


def _time_of_issue(parser: Parser) -> dt.datetime:
    """Return the time of SOURCE_DATE_EPOCH if it is set; else the current time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch and not epoch.isdecimal():
        parser.error(f"SOURCE_DATE_EPOCH={epoch}: give the seconds since 1970, or unset it")
    try:
        return dt.datetime.fromtimestamp(int(epoch) if epoch else time.time(), dt.timezone.utc)
    except (OverflowError, ValueError, OSError):
        parser.error(f"SOURCE_DATE_EPOCH={epoch}: that year is none")


def _checked(parser: Parser, certificate: Path, demands: Demands) -> CheckedCertificate:
    """Check a certificate, and return the result with the reasons against it; exit if it cannot be read."""
    try:
        plain = json.loads(certificate.read_bytes())
    except OSError as error:
        parser.error(f"{certificate}: {error.strerror}")
    except (ValueError, RecursionError) as error:
        parser.error(f"{certificate}: this is no certificate, for it is no JSON: {error}")
    try:
        installed = Installed.of(catalogue.load(extra_tools.ALL))
        return check(plain, demands, installed, dt.datetime.now(dt.timezone.utc))
    except (PlaceError, catalogue.CatalogueError) as error:
        parser.error(str(error))
    except catalogue.UnknownRuleError as error:
        parser.error(f"--require: {error}{suggestion(error.word, error.known)}")


def _absolute(place: Path | None) -> Path | None:
    return None if place is None else Path(os.path.abspath(place.expanduser()))  # noqa: PTH100 - links stay as they are


def _text_of_new(output: Path, statement: Statement) -> str:
    facts = statement.facts
    lines = [
        f"certificate  {output} · {_summary(statement)}",
        f"  of         {_files(statement)}",
        f"  verify     trt-conformance verify {output}",
        f"  worth      {_SIGNATURE}",
    ]
    lines += [f"  leaves out {remark}" for remark in facts.left_out or ()]
    lines += [f"  {facts.built_too}"] if facts.built_too else []
    if facts.not_run:
        lines.insert(2, f"  not run    {counted(len(facts.not_run), 'test')}, each listed with its reason")
    return "\n".join(["", *lines]) + "\n"


def _text_of_valid(path: Path, statement: Statement, namespace: argparse.Namespace) -> str:
    facts = statement.facts
    others = "rules that differ from those installed here, which --other-rules accepts"
    rules = others if namespace.other_rules else "the rules that are installed here"
    keys: dict[str, list[str]] = {}
    for case in facts.plugins:
        keys.setdefault(f"{case.key} · {case.verdict.value}", []).append(case.case)
    lines = [
        f"VALID  {path} · {_summary(statement)}",
        *(f"  {key} · cases: {', '.join(cases)}" for key, cases in keys.items()),
    ]
    for verdict, words in _LISTED.items():
        rules_with_it = {rule.id for case in facts.plugins for rule in case.rules if rule.verdict is verdict}
        lines += [f"  {words}: {few(sorted(rules_with_it))}"] if rules_with_it else []
    lines += [f"  leaves out: {remark}" for remark in facts.left_out or ()]
    lines += [f"  {facts.built_too}"] if facts.built_too else []
    lines += [
        f"  {_files(statement)}: unchanged",
        f"  {counted(sum(facts.counts.values()), 'verdict')}, by {rules}",
        f"  issued {facts.issued} by {facts.tool.name} {facts.tool.version} (not verified)",
        f"  {_SIGNATURE}",
    ]
    return "\n".join(lines) + "\n"


def _summary(statement: Statement) -> str:
    facts = statement.facts
    verb = "FAILS" if statement.predicate.result is CertificateResult.FAILED else "CONFORMS"
    return f"{verb} level {facts.level}, TensorRT {facts.spec} · in-toto result {statement.predicate.result.value}"


def _files(statement: Statement) -> str:
    names = [resource.name for resource in statement.subject]
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")  # noqa: PLR2004 - what fits on a line
    return f"{counted(len(names), 'file')} ({shown})"
