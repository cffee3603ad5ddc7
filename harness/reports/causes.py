"""What is wrong with what was certified, cause by cause: what several reports tell, each in its own form."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any

from harness.contract.verdict import Verdict
from harness.reports.checkout import from_root
from harness.reports.document import NOT_SELECTED
from harness.results.run_plan import IMPORT, encoded
from harness.results.tally import Standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.reports.document import Document

__all__ = ["Cause", "Spot", "causes_of", "gaps_of", "requirement_of", "severity_of", "vanished_of"]

#: Verdicts that are told whether or not they fail the run.
_TOLD = {Verdict.FAIL.value, Verdict.WARN.value, Verdict.XPASS.value, Verdict.XFAIL.value}
#: A frame of a stack, as ``traceback`` or ``faulthandler`` writes it.
_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)', re.MULTILINE)
#: What ``faulthandler`` begins with; its stacks have the innermost frame first.
_INNERMOST_FIRST = "(most recent call first)"


@dataclasses.dataclass(frozen=True)
class Spot:
    """A line of a file; 0 where the line is not known."""

    file: str
    line: int


@dataclasses.dataclass(frozen=True)
class Cause:
    """One rule broken in one way by one plugin, on one case or several: their fingerprint is the same.

    Attributes:
        rule: The rule.
        verdict: What is said of it.
        subject: The plugin as node ids name it, or the module's name.
        cases: The cases that show it; none for a module.
        ids: The node ids of its items.
        fails: Whether it fails the run.
        known: Whether the run's baseline has it, on each of the cases.
        result: What the document says of the first of the cases.
        spot: The line to look at, of the method that is meant or of the plugin; None where no file is known.
    """

    rule: str
    verdict: str
    subject: str
    cases: tuple[str, ...]
    ids: tuple[str, ...]
    fails: bool
    result: Mapping[str, Any]
    spot: Spot | None
    known: bool = False

    @property
    def word(self) -> str:
        """The verdict, as a heading has it."""
        return f"{self.verdict}, known from the baseline" if self.known else self.verdict

    @property
    def summary(self) -> str:
        """What happened, in one line."""
        violations = self.result["violations"]
        told = violations[0]["what"] if violations and self.verdict != Verdict.XFAIL.value else self.result["reason"]
        return str(told).partition("\n")[0] or self.verdict

    @property
    def identity(self) -> str:
        """What stays the same from run to run, while the same defect of the same plugin is seen."""
        return ":".join((self.subject, self.rule, self.result["fingerprint"] or self.verdict))


def causes_of(document: Document) -> list[Cause]:
    """Return every cause, in the order of the document: modules first, then plugin by plugin; what is known is last."""
    return [*map(_of_module, document["modules"]), *sorted(_of_plugins(document), key=lambda cause: cause.known)]


def gaps_of(document: Document) -> list[str]:
    """Return why the document does not say all, or why something is not good though no rule failed; a line each."""
    return list(dict.fromkeys(_gaps(document)))


def _gaps(document: Document) -> Iterator[str]:
    if document["status"] != "complete":
        yield "the run was interrupted: what it did not come to is not in here"
    for told in document["internal_errors"]:
        yield told.partition("\n")[0]
    for name in vanished_of(document):
        yield f"{name}: FAILS, the baseline judged it, and this run does not find it"
    for plugin in document["plugins"]:
        name = f"{_label(plugin)}, case {plugin['case']}"
        if plugin["verdict"] == Standing.INCOMPLETE.value:
            reasons = _why_unjudged(document, plugin)
            told = "; ".join(dict.fromkeys(reasons))
            yield f"{name}: INCOMPLETE, {len(reasons)} of its rules were not judged: {told}"
        elif plugin["verdict"] == Standing.FAILS.value and not any(result["fails"] for result in plugin["rules"]):
            yield f"{name}: nothing was shown to hold, so it FAILS"


def vanished_of(document: Document) -> list[str]:
    """Return the plugins that the baseline judged and the run does not find, which fails it."""
    return list((document.get("baseline") or {}).get("vanished", ()))


def _why_unjudged(document: Document, plugin: Mapping[str, Any]) -> list[str]:
    judged = {
        f"{plugin['id']}::{_item(result)}" for result in plugin["rules"] if result["verdict"] == Verdict.NOT_RUN.value
    }
    of_plugin = [entry for entry in document["not_run"] if entry["id"].rpartition("::")[0] == plugin["id"]]
    return [entry["reason"] for entry in of_plugin if entry["id"] not in judged and entry["reason"] != NOT_SELECTED]


def requirement_of(document: Document, rule: str) -> str:
    """Return the requirement of a rule in one line."""
    known = document["rules"].get(rule)
    return str(known["requirement"]) if known else "The module can be imported, and its plugins can be registered."


def severity_of(document: Document, rule: str) -> str:
    """Return ``error`` or ``warning``, as the rule has it at the API level of the run."""
    known = document["rules"].get(rule)
    return str(known["severity"][document["spec"]]) if known else "error"


def _of_module(entry: Mapping[str, Any]) -> Cause:
    result = {"violations": [], "reason": "", "fingerprint": "", "mishap": None, **entry}
    home = Spot(entry["file"], 0) if entry["file"] else None
    spot = _last_own_frame(result, {entry["file"]}) or home
    nodeid = f"conformance::{encoded(entry['module'])}::{IMPORT}"
    return Cause(IMPORT, entry["verdict"], entry["module"], (), (nodeid,), fails=True, result=result, spot=spot)


def _of_plugins(document: Document) -> Iterator[Cause]:
    groups: dict[tuple[object, ...], list[tuple[Mapping[str, Any], Mapping[str, Any]]]] = {}
    for plugin in document["plugins"]:
        for result in plugin["rules"]:
            if result["verdict"] in _TOLD or result["fails"]:
                seen = (result["verdict"], result["fingerprint"], result["reason"], result.get("known", False))
                same = (_label(plugin), result["id"], *seen)
                groups.setdefault(same, []).append((plugin, result))
    for shown in groups.values():
        plugin, result = shown[0]
        rule = document["rules"][result["id"]]
        yield Cause(
            rule=result["id"],
            verdict=result["verdict"],
            subject=_label(plugin),
            cases=tuple(dict.fromkeys(each["case"] for each, _ in shown)),
            ids=tuple(f"{each['id']}::{_item(told)}" for each, told in shown),
            fails=any(told["fails"] for _, told in shown),
            result=result,
            spot=_spot(plugin, result, rule["owns"], document["root"]),
            known=bool(result.get("known")),
        )


def _label(plugin: Mapping[str, Any]) -> str:
    return str(plugin["id"]).split("::")[1]


def _item(result: Mapping[str, Any]) -> str:
    return f"{result['id']}[{result['shard']}]" if "shard" in result else str(result["id"])


def _spot(plugin: Mapping[str, Any], result: Mapping[str, Any], owned: Sequence[str], root: str) -> Spot | None:
    """Return the line where a stack ends, else the method that is named, else the plugin's creator.

    A method that the plugin inherits from outside of the repository is not what its author has to look at.
    """
    methods = plugin["methods"]
    if from_root(plugin["file"], root):
        methods = {name: place for name, place in methods.items() if from_root(place["file"], root)}
    files = {place["file"] for place in methods.values()} | {plugin["file"]}
    ended = _last_own_frame(result, files - {""})
    if ended is not None:
        return ended
    for name in _named(result, methods, owned):
        return Spot(methods[name]["file"], methods[name]["line"])
    if plugin["file"]:
        return Spot(plugin["file"], plugin["line"])
    return next((Spot(place["file"], place["line"]) for place in methods.values()), None)


def _named(result: Mapping[str, Any], methods: Mapping[str, Any], owned: Sequence[str]) -> Iterator[str]:
    """Yield the methods that a result is about, the surest first."""
    mishap = result["mishap"]
    if mishap and mishap["callback"] in methods:
        yield mishap["callback"]
    for violation in result["violations"][:1]:
        for part in ("what", "where"):
            yield from (word for word in re.findall(r"\w+", violation[part]) if word in methods)
    yield from (name for name in owned if name in methods)


def _last_own_frame(result: Mapping[str, Any], files: set[str]) -> Spot | None:
    """Return the innermost frame of a mishap's stack that is in one of the files."""
    stack = result["mishap"]["stack"] if result["mishap"] else ""
    frames = [Spot(file, int(line)) for file, line in _FRAME.findall(stack) if file in files]
    if not frames:
        return None
    return frames[0] if _INNERMOST_FIRST in stack else frames[-1]
