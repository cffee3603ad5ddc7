"""The section that a run prints at its end: each plugin's verdicts, each violation once, and a last line a plugin."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

from harness.plan import IMPORT_RULE, Place, module_place
from harness.reports import text
from harness.spec import DEFAULT
from harness.tally import Standing
from harness.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from _pytest.terminal import TerminalReporter

    from harness.catalogue import Catalogue
    from harness.ledger import Certified, Summary
    from harness.plan import CasePlan, ModulePlan
    from harness.rule import Rule
    from harness.tally import Record
    from harness.verdict import Result

    Sections = Mapping[str, Sequence[tuple[str, str]]]

TITLE = "TensorRT plugin conformance"
#: Verdicts that are told in full.
_TOLD = (Verdict.FAIL, Verdict.XPASS, Verdict.WARN)
_COLOURS = {
    Standing.CONFORMS: "green",
    Standing.CONFORMS_UNEXECUTED: "yellow",
    Standing.PARTIAL: "yellow",
    Standing.INCOMPLETE: "red",
    Standing.FAILS: "red",
}


def show(
    writer: TerminalReporter, summary: Summary, catalogue: Catalogue, sections: Sections, troubles: Sequence[str]
) -> None:
    """Print the section."""
    page = _Page(writer, catalogue, sections)
    touched = [certified for certified in summary.plugins if certified.standing is not None]
    if not touched and not summary.modules and not troubles:
        return
    writer.write_sep("=", TITLE)
    for module in summary.modules:
        page.module(module)
    for certified in touched:
        page.plugin(certified)
    for internal in dict.fromkeys(told.partition("\n")[0] for told in summary.internal):
        writer.write_line(internal, red=True)
    for module in summary.modules:
        writer.write_line(f"FAILS · {module.name} · {_module_line(module)}", red=True, bold=True)
    for certified in touched:
        page.last_line(certified)
    for trouble in troubles:
        writer.write_line(trouble, red=True, bold=True)


class _Page:
    """Prints through pytest's terminal writer, as wide and as talkative as the user wants it."""

    def __init__(self, writer: TerminalReporter, catalogue: Catalogue, sections: Sections) -> None:
        self._writer = writer
        self._catalogue = catalogue
        self._sections = sections
        option = writer.config.option
        self._style = option.tbstyle
        self._captures = option.showcapture
        self._verbosity = option.verbose

    def module(self, module: ModulePlan) -> None:
        """Tell what is wrong with a module as such."""
        if module.failure is not None:
            self._writer.write_line(f"{module.name} · the module", bold=True)
            self._tell(IMPORT_RULE, module.failure, "", [], [module_place(module)])
            self._writer.write_line("")

    def plugin(self, certified: Certified) -> None:
        """Tell what there is to tell of a plugin."""
        self._writer.write_line(_heading(certified, self._writer.startpath), bold=True)
        if self._verbosity == 0:
            for case in certified.plugin.cases:
                self._table(certified, case.name)
        for rule_id, result, records in _told(certified):
            several = len(certified.plugin.cases) > 1
            cases = list(dict.fromkeys(record.case for record in records)) if several else []
            places = [Place(certified.plugin.label, record.case, rule_id, record.shard) for record in records]
            self._tell(self._catalogue[rule_id], result, certified.plugin.key, cases, places)
            self._blocked(certified, rule_id)
        if self._verbosity >= 0:
            self._reasons(certified)
        for origin, rules in certified.tally.incomplete.items():
            self._lines(text.field("missing", f"{text.named(rules)}: {origin}"), red=True)
        self._pastes(certified)
        self._writer.write_line("")

    def last_line(self, certified: Certified) -> None:
        """Tell the verdict on a plugin."""
        standing = certified.standing
        if standing is not None:
            line = text.plugin_line(certified.plugin.label, standing, certified.tally)
            self._writer.write_line(line, bold=True, **{_COLOURS[standing]: True})

    def _table(self, certified: Certified, case: str) -> None:
        """List every rule that was judged on a case with its verdict and its evidence, some to a line."""
        tally = certified.cases[case]
        if not tally.results:
            return
        if len(certified.plugin.cases) > 1:
            self._writer.write_line(f"  case {case}")
        cells = [_cell(rule, verdict, tally.evidence_of(rule)) for rule, verdict in tally.verdicts().items()]
        width = max(map(len, cells)) + 2
        columns = max(1, (self._writer._tw.fullwidth - 2) // width)  # noqa: SLF001 - its width has no public name
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self._writer.write_line("  " + "".join(cell.ljust(width) for cell in cells[row::rows]).rstrip())

    def _tell(self, rule: Rule, result: Result, key: str, cases: Sequence[str], places: Sequence[Place]) -> None:
        on = f" on {', '.join(cases)}" if cases else ""
        bad = {"yellow": True} if result.verdict is Verdict.WARN else {"red": True}
        if self._style in {"no", "line"}:
            self._writer.write_line(f"  {rule.id} {text.word(result)}{on}: {text.summary(result)}", **bad)
            return
        self._writer.write_line(f"{text.word(result)}{on} · {text.heading(rule)}", bold=True, **bad)
        self._lines(text.lines_of(rule, result))
        self._lines(text.expectation(result, key, list(dict.fromkeys(place.case for place in places if place.case))))
        for title, content in self._captured(places):
            self._writer.write_sep("-", title)
            self._writer.write_line(content.rstrip("\n"))

    def _captured(self, places: Sequence[Place]) -> Iterator[tuple[str, str]]:
        for title, content in itertools.chain.from_iterable(self._sections.get(each.nodeid, ()) for each in places[:1]):
            if self._captures == "all" or (self._captures != "no" and self._captures in title):
                yield title, content

    def _blocked(self, certified: Certified, root: str) -> None:
        blocked = {result.rule for result in certified.tally.results if result.blocked_by == root}
        if blocked:
            self._lines(text.field("blocks", text.named(sorted(blocked), most=len(blocked))))

    def _reasons(self, certified: Certified) -> None:
        """List the rules that were not judged for a reason of the plugin's or of this machine's."""
        by_reason: dict[tuple[str, str], list[str]] = {}
        for result in certified.tally.results:
            if result.verdict in {Verdict.NOT_RUN, Verdict.NOT_APPLICABLE, Verdict.XFAIL}:
                rules = by_reason.setdefault((result.verdict.value, result.reason), [])
                if result.rule not in rules:
                    rules.append(result.rule)
        for (verdict, reason), rules in sorted(by_reason.items()):
            self._lines(text.field(verdict, f"{text.named(rules, most=len(rules))}: {reason}"))

    def _pastes(self, certified: Certified) -> None:
        for case in certified.plugin.cases:
            if case.inferred and case.paste and self._verbosity >= 0:
                name = certified.module.name.rpartition(".")[2]
                self._writer.write_line(f"  no case was given; this one was inferred, to paste into {name}_cases.py:")
                self._lines(f"    {line}" for line in case.paste.splitlines())

    def _lines(self, lines: Iterable[str], **markup: bool) -> None:
        for line in lines:
            self._writer.write_line(line, **markup)


def _heading(certified: Certified, folder: Path) -> str:
    plugin = certified.plugin
    file = Path(plugin.file)
    here = file.relative_to(folder) if file.is_relative_to(folder) else file
    where = f"{here}:{plugin.line}" if plugin.file else plugin.module
    cases = ", ".join(map(_named, plugin.cases)) or "none"
    return f"{plugin.label} · {plugin.interface.value} · {plugin.creator} in {where} · cases: {cases}"


def _named(case: CasePlan) -> str:
    return case.name if case.spec == DEFAULT else f"{case.name} (TensorRT {case.spec})"


def _cell(rule: str, verdict: Verdict, evidence: int) -> str:
    return f"{rule} {verdict.value}" + (f" {evidence:,}" if evidence else "")


def _told(certified: Certified) -> Iterator[tuple[str, Result, list[Record]]]:
    """The bad results, each once, with the records of all cases that show the same."""
    groups: dict[tuple[object, ...], list[Record]] = {}
    for record in certified.tally.records:
        result = record.result
        if result is not None and (result.verdict in _TOLD or record.failed):
            same = (result.rule, result.verdict, result.violations, result.reason)
            groups.setdefault(same, []).append(record)
    for records in groups.values():
        result = records[0].result
        if result is not None:
            yield result.rule, result, records


def _module_line(module: ModulePlan) -> str:
    return text.summary(module.failure) if module.failure else ""
