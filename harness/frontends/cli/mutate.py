"""Run ``trt-conformance mutate``: parse its arguments, show progress, and print the summary."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from harness.config.declarations import OPTIONS
from harness.config.errors import UsageError
from harness.contract.suggestions import hint
from harness.frontends.cli.parser import USAGE, Parser, options_of
from harness.frontends.cli.parser import declare as declare_options
from harness.mutation import summary
from harness.mutation.campaign import Campaign, Findings, UnsoundError, plain
from harness.mutation.mutant import sampled
from harness.mutation.operators.catalogue import OPERATORS
from harness.mutation.outcome import Fate
from harness.mutation.scratch import ModuleMissingError
from harness.mutation.trial import Until

if TYPE_CHECKING:
    from harness.mutation.kind import Operator
    from harness.mutation.outcome import Outcome

_UNNOTICED, _INTERRUPTED, _INTERNAL = 1, 2, 3
#: Options of pytest that this command has as well.
_OPTIONS = {"cases", "setup", "select", "ignore", "level", "spec", "timeout"}
_PAUSE = 0.2


def run(arguments: list[str]) -> int:
    """Plant defects into a module, judge each, and report those that no rule notices; return the exit status."""
    parser = _parser()
    namespace = parser.parse(arguments)
    if namespace.operators:
        sys.stdout.writelines(f"{each.name}  {', '.join(each.rules)}  {each.defect}\n" for each in OPERATORS.values())
        return 0
    if namespace.module is None:
        parser.error("name the module to plant defects into, for example: trt-conformance mutate my_plugins")
    campaign = _campaign(parser, namespace)
    try:
        findings = _searched(parser, campaign, namespace)
    except (UnsoundError, BrokenProcessPool, KeyboardInterrupt) as error:
        return _nothing_found(parser, error)
    if namespace.json and not _written(parser, namespace, findings):
        return _INTERNAL
    sys.stdout.writelines(f"{line}\n" for line in summary.lines(findings))
    fates = {outcome.fate for outcome in findings.outcomes}
    if Fate.UNDECIDED in fates:
        return _INTERNAL
    return _UNNOTICED if Fate.UNNOTICED in fates else 0


def _nothing_found(parser: Parser, error: BaseException) -> int:
    """Print why there are no findings; return the exit status."""
    status, why = USAGE, f"error: {error}"
    if isinstance(error, KeyboardInterrupt):
        status, why = _INTERRUPTED, "interrupted: no result is reported"
    if isinstance(error, BrokenProcessPool):
        status, why = _INTERNAL, "a process that judged was killed, perhaps because memory ran out: take fewer --jobs"
    sys.stderr.write(f"{parser.prog}: {why}\n")
    return status


def _parser() -> Parser:
    parser = Parser(
        prog="trt-conformance mutate",
        description="Plant defects into a module of plugins, one at a time, and report which of them go unnoticed.",
        epilog="Exit status: 0 all are noticed, 1 some go unnoticed, 2 interrupted, 3 some not judged. "
        "4: a usage error, or the module cannot be judged as it is.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "module", nargs="?", metavar="MODULE", help="as --plugin-module: a dotted name, file or package"
    )
    declare_options(parser, [each for each in OPTIONS if each.name in _OPTIONS], {})
    parser.add_argument(
        "--operator",
        action="append",
        default=[],
        metavar="NAME",
        help="only this kind of defect, or a family of them; repeatable",
    )
    parser.add_argument("--operators", action="store_true", help="list the kinds of defects, and judge nothing")
    parser.add_argument("--limit", type=_number, metavar="N", help="judge a sample of so many")
    parser.add_argument("--seed", dest="sample", type=int, default=0, help="which sample (default: %(default)s)")
    parser.add_argument(
        "--jobs",
        type=_number,
        default=len(os.sched_getaffinity(0)),
        metavar="N",
        help="so many at a time (default: one a core)",
    )
    parser.add_argument(
        "--all-rules", action="store_true", help="judge each by all rules, and not up to the first that is broken"
    )
    parser.add_argument("--json", type=Path, metavar="PATH", help="write all outcomes as JSON")
    return parser


def _number(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: give a number, 1 or more")
    return number


def _campaign(parser: Parser, namespace: argparse.Namespace) -> Campaign:
    options = options_of(parser, namespace)
    if namespace.json and (namespace.json.is_dir() or not namespace.json.absolute().parent.is_dir()):
        parser.error(f"argument --json: cannot write to {namespace.json}")
    try:
        return Campaign.of(namespace.module, options, Until.END if namespace.all_rules else Until.BROKEN)
    except ModuleMissingError as error:
        parser.error(str(error))


def chosen(words: list[str]) -> list[Operator]:
    """Return the operators that words name, each by its name or its family; all operators without a word.

    Raises:
        UsageError: A word names no operator and no family.
    """
    families = dict.fromkeys(each.family for each in OPERATORS.values())
    for word in words:
        if word not in OPERATORS and word not in families:
            raise UsageError(
                f"there is no operator {word!r}{hint(word, [*OPERATORS, *families])}; --operators lists them"
            )
    return [each for each in OPERATORS.values() if not words or {each.name, each.family} & {*words}]


def _searched(parser: Parser, campaign: Campaign, namespace: argparse.Namespace) -> Findings:
    try:
        operators = chosen(namespace.operator)
    except UsageError as error:
        parser.error(f"argument --operator: {error}")
    planted = campaign.planted(operators)
    mutants = sampled(planted.mutants, namespace.limit, namespace.sample)
    if not mutants:
        raise UnsoundError(f"{campaign.module}: no place to plant {_what(namespace.operator)} into")
    with _Line.shown() as line:
        line.show(f"judging {campaign.module} as it is")
        original, lines = campaign.original(mutant.file for mutant in mutants)
        outcomes: list[Outcome] = []
        for outcome in campaign.outcomes(mutants, original, lines, namespace.jobs):
            outcomes.append(outcome)
            unnoticed = sum(each.fate is Fate.UNNOTICED for each in outcomes)
            line.show(f"{len(outcomes)} of {len(mutants)} planted, {unnoticed} unnoticed")
    order = {mutant.id: place for place, mutant in enumerate(mutants)}
    ordered = tuple(sorted(outcomes, key=lambda each: order[each.mutant.id]))
    return Findings(campaign.module, original, ordered, len(planted.mutants), planted.without_effect)


def _what(words: list[str]) -> str:
    return f"a defect of {', '.join(words)}" if words else "a defect"


def _written(parser: Parser, namespace: argparse.Namespace, findings: Findings) -> bool:
    level = namespace.level or 5
    text = json.dumps(plain(findings, level=int(level), seed=namespace.sample), indent=1)
    try:
        namespace.json.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        sys.stderr.write(f"{parser.prog}: error: {namespace.json} could not be written: {error}\n")
        return False
    return True


class _Line(msgspec.Struct):
    """A line that shows the progress and disappears at the end; it needs a terminal."""

    on_terminal: bool
    width: int = 0
    last: float = 0.0

    @classmethod
    @contextlib.contextmanager
    def shown(cls) -> Iterator[_Line]:
        """Show a line while the block runs."""
        line = cls(sys.stderr.isatty() and os.environ.get("TERM") != "dumb")
        try:
            yield line
        finally:
            line.last = 0.0
            line.show("")

    def show(self, text: str) -> None:
        """Show a text in place of the last text, unless that is newer than ``_PAUSE`` seconds."""
        now = time.monotonic()
        if self.on_terminal and now - self.last > _PAUSE:
            sys.stderr.write(f"\r{text.ljust(self.width)}\r")
            sys.stderr.flush()
            self.width, self.last = len(text), now
