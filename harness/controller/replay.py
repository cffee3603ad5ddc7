"""Judge a failing example again: the command for it, and the answer of ``trt-conformance replay``."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from harness.config.command_line import changed
from harness.config.declarations import OPTIONS, Use
from harness.config.options import plain
from harness.contract import catalogue
from harness.contract.interface import APPLICATIONS
from harness.contract.verdict import Answer, InternalError, Kind, decide
from harness.contract.wording import counted
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.asked import IsolationError
from harness.reports import story
from harness.results.run_plan import ROOT

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.controller.fuzz.saved_examples import SavedExample

#: Examples longer than this are not printed in a command, but read from pytest's cache.
_LONGEST = 400
_EXAMPLE = "judged on an example: give it with --example, or run where pytest's cache has it"
_NO_EXAMPLE = "not judged on examples: leave --example out"


class ReplayOutcome(enum.Enum):
    """The outcome of a replay, with its exit status."""

    FIXED = 0
    STILL_FAILS = 1
    CANNOT_RUN = 2

    @property
    def words(self) -> str:
        """Return the outcome as it is printed."""
        return self.name.replace("_", " ")


class Replayed(msgspec.Struct, frozen=True):
    """The outcome of a replay, and the lines to print."""

    outcome: ReplayOutcome
    lines: Sequence[str] = ()


def command(nodeid: str, record: SavedExample, *, is_saved: bool) -> str:
    """Return the command that judges a record again; ``nodeid`` is that of the item.

    The command has no examples if they are long and ``is_saved`` says that pytest's cache has them.
    """
    child, request = record.child, record.request
    examples = [json.dumps(example, separators=(",", ":")) for example in request.examples]
    words = ["trt-conformance", "replay", nodeid]
    if is_saved and sum(map(len, examples)) > _LONGEST:
        return shlex.join(words)
    words += ["--module", child.module]
    held = {**vars(child), **vars(request), "seed": request.seed or None}
    options = {option.field: plain(held[option.field]) for option in OPTIONS if Use.REPLAY in option.uses}
    words += [word for option, text in changed(options) for word in (f"--{option.name}", text)]
    words += [word for example in examples for word in ("--example", example)]
    return shlex.join(words)


def parts_of(nodeid: str) -> tuple[str, str, str]:
    """Return the plugin's key, the case and the rule that a node id names.

    Raises:
        ValueError: The node id is not that of a rule on a case.
    """
    root, *parts = nodeid.split("::")
    if root != ROOT or len(parts) != len(("plugin", "case", "rule")):
        raise ValueError(f"{nodeid}: not the id of a rule on a case, such as {ROOT}::/Bar/1::rows::FUZ-003")
    label, case, rule = parts
    return label.partition("+")[0], case, rule


def replay(record: SavedExample) -> Replayed:
    """Judge a record again in a new child, and return the outcome."""
    rules = catalogue.load_rules()
    rule = rules.get(record.request.rule)
    if rule is None:
        return _not(f"there is no rule {record.request.rule}")
    if rule.interfaces & APPLICATIONS:
        again = f"pytest --plugin-app={record.request.plugin}"
        return _not(f"{rule.id} is judged by running the application: run {again} again")
    if (rule.strategy is None) == bool(record.request.examples):
        return _not(f"{rule.id} is {_NO_EXAMPLE if rule.strategy is None else _EXAMPLE}")
    try:
        with contextlib.closing(ProcessIsolation(record.child)) as child:
            answer = _asked(child, record)
    except (IsolationError, InternalError) as error:
        return _not(str(error))
    return _outcome(rule, answer, record)


def _outcome(rule: Rule, answer: Answer, record: SavedExample) -> Replayed:
    if answer.fails:
        result = decide(rule, answer, spec=record.child.spec)
        return Replayed(ReplayOutcome.STILL_FAILS, [rule.heading, *story.fields(story.of_result(rule, result))])
    if answer.kind is Kind.JUDGED and answer.evidence:
        return Replayed(ReplayOutcome.FIXED, [f"{rule.id} holds: {counted(answer.evidence, 'evaluation')}"])
    if answer.kind is Kind.BROKEN and record.request.examples:
        last = answer.reason.strip().rpartition("\n")[2]
        return _not(f"this is no example of {rule.id}, or the rule itself failed on it: {last}")
    return _not(answer.reason or "the rule did not judge")


def _asked(child: ProcessIsolation, record: SavedExample) -> Answer:
    loaded = child.load()
    if not loaded.ok:
        reason = loaded.answer.reason if loaded.answer else ""
        return Answer(Kind.NOT_RUN, reason=f"{record.child.module} cannot be imported: {reason}".rstrip(": "))
    plugins = [plugin for plugin in child.discover()["plugins"] if plugin["key"] == record.request.plugin]
    cases = [case for plugin in plugins for case in plugin["cases"] if case["name"] == record.request.case]
    if not cases:
        missing = f"{record.child.module} has no case {record.request.case!r} of {record.request.plugin}"
        return Answer(Kind.NOT_RUN, reason=missing)
    return child.ask(dataclasses.replace(record.request, inferred=cases[0]["plain"]))


def _not(reason: str) -> Replayed:
    return Replayed(ReplayOutcome.CANNOT_RUN, [reason])
