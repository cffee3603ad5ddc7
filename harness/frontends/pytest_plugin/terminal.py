"""The section that a run prints at its end: what is wrong, cause by cause, and a last line a plugin.

A plugin of which there is nothing to tell has its last line alone. With ``-v`` the reasons of what does not apply are
told as well, every example that was seen, and all that was written meanwhile; with ``-q`` there is nothing to paste,
and with ``-qq`` a failure has one line. Verdict by verdict, pytest's own ``-v`` lists them.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

from harness.contract.api_level import DEFAULT
from harness.contract.verdict import Verdict
from harness.frontends.pytest_plugin import captured_output, slowest
from harness.reports import text
from harness.reports.again import again
from harness.reports.defects import causes
from harness.results.run_plan import IMPORT_RULE, ItemId, module_place
from harness.results.tally import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from _pytest.terminal import TerminalReporter

    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.verdict import Result
    from harness.controller.latency.latencies import Latencies
    from harness.reports.defects import Defect
    from harness.results.baseline import Compared
    from harness.results.ledger import Certified, Summary
    from harness.results.run_plan import CasePlan, ModulePlan

    Sections = Mapping[str, Sequence[tuple[str, str]]]

TITLE = "TensorRT plugin conformance"
#: Reasons of NOT-RUN that are told without ``-v``.
_MOST_REASONS = 3
_COLOURS = {
    Standing.CONFORMS: "green",
    Standing.CONFORMS_UNEXECUTED: "yellow",
    Standing.CONFORMS_BY_STAND_INS: "yellow",
    Standing.PARTIAL: "yellow",
    Standing.FAILS_AS_KNOWN: "yellow",
    Standing.INCOMPLETE: "red",
    Standing.FAILS: "red",
}


def show(
    writer: TerminalReporter,
    options: Options,
    summary: Summary,
    catalogue: Catalogue,
    sections: Sections,
    troubles: Sequence[str],
) -> None:
    """Print the section."""
    page = Page(writer, options, catalogue, sections)
    touched = [certified for certified in summary.plugins if certified.standing is not None]
    if not touched and not summary.modules and not troubles:
        return
    writer.write_sep("=", TITLE)
    for module in summary.modules:
        page.module(module)
    for certified in touched:
        page.plugin(certified)
    for internal in dict.fromkeys(told.partition("\n")[0] for told in summary.internal):
        page.line(internal, red=True)
    page.last_lines(summary)
    for trouble in troubles:
        page.line(trouble, red=True, bold=True)
    took = slowest.lines(touched, writer.config)
    if took:
        writer.write_sep("-", slowest.TITLE)
        for line in took:
            page.line(line)


class Page:
    """Prints through pytest's terminal writer, as wide and as talkative as the user wants it."""

    def __init__(self, writer: TerminalReporter, options: Options, catalogue: Catalogue, sections: Sections) -> None:
        self._writer = writer
        self._options = options
        self._catalogue = catalogue
        self._sections = sections
        option = writer.config.option
        self._verbosity = option.verbose
        self._style = option.tbstyle if self._verbosity > -2 else "line"  # noqa: PLR2004 - -qq
        self._captures = option.showcapture
        self._encoding = getattr(writer._tw._file, "encoding", None) or "utf-8"  # noqa: SLF001 - it has no public name
        self._heading = ""
        self._pasted: set[str] = set()

    def line(self, told: str, **markup: bool) -> None:
        """Print a line, below the heading if that is still to come, in letters that the terminal has."""
        heading, self._heading = self._heading, ""
        if heading:
            self.line(heading, bold=True)
        self._writer.write_line(_writable(told, self._encoding), **markup)

    def module(self, module: ModulePlan) -> None:
        """Tell what is wrong with a module as such."""
        if module.failure is not None:
            self._heading = f"{module.name} · the module"
            result, place = module.failure, module_place(module)
            self._title(IMPORT_RULE, text.word(result), "", warns=False)
            if self._style not in {"no", "line"}:
                self._lines(text.lines_of(IMPORT_RULE, result))
                self._what_it_wrote(place)
            else:
                self.line(f"  {text.summary(result)}", red=True)
            self.line("")

    def plugin(self, certified: Certified) -> None:
        """Tell what there is to tell of a plugin; nothing where its last line says it all."""
        heading = _heading(certified, self._writer.startpath)
        self._heading = heading
        if self._verbosity > 0:
            self._heading = ""
            self.line(heading, bold=True)
        for group in causes(certified.tally.records, apart=self._verbosity > 0):
            for number, defect in enumerate(group):
                self._defect(certified, defect, group[0] if number else None)
        self._reasons(certified)
        for origin, rules in certified.tally.incomplete.items():
            self._lines(text.field("missing", f"{text.named(rules)}: {origin}"), red=True)
        self._pastes(certified)
        if not self._heading:
            self.line("")
        self._heading = ""

    def last_lines(self, summary: Summary) -> None:
        """Tell the verdict on each module that failed as such and on each plugin, and what the baseline makes of it."""
        for module in summary.modules:
            self.line(f"FAILS · {module.name} · {_module_line(module)}", red=True, bold=True)
        for certified in summary.plugins:
            self._last_line(certified)
        if summary.compared is not None:
            self._baseline(summary.compared)

    def _last_line(self, certified: Certified) -> None:
        standing = certified.standing
        if standing is not None:
            line = text.plugin_line(certified.plugin.label, standing, certified.tally, self._options.level)
            self.line(line, bold=True, **{_COLOURS[standing]: True})

    def _baseline(self, compared: Compared) -> None:
        file = _near(Path(self._options.baseline), self._writer.config.invocation_params.dir)
        self.line(f"baseline {file}: {text.counted(compared.known, 'known result')}")
        renewal = f"renew it, with --plugin-report=json:{file}"
        if compared.fixed:
            self.line(f"  fixed since: {text.named(compared.fixed)}; {renewal}", green=True)
        if compared.vanished:
            lost = f"it judged {text.named(compared.vanished)}, and this run finds no such plugin"
            self.line(f"FAILS · {lost}: look why, or {renewal}", red=True, bold=True)
        if compared.unvisited:
            self.line(f"  it judged plugins of {text.named(compared.unvisited)} too, which this run does not name")

    def _defect(self, certified: Certified, defect: Defect, first: Defect | None) -> None:
        """Tell one defect; in short where ``first``, which comes from the same cause, was told just above."""
        rule, result = self._catalogue[defect.result.rule], defect.result
        on = f" on {', '.join(defect.cases)}" if len(certified.plugin.cases) > 1 else ""
        word = text.worded(result.verdict, defect.broken, defect.evidence)
        warns = result.verdict is Verdict.WARN or defect.known
        if defect.known and self._verbosity <= 0:
            self.line(f"  known     {rule.id} {word}{on}: {text.summary(result)}", yellow=True)
        elif self._style in {"no", "line"}:
            self.line(f"  {rule.id} {word}{on}: {text.summary(result)}", yellow=warns, red=not warns)
        else:
            self._title(rule, f"{word}, known from the baseline" if defect.known else word, on, warns=warns)
            self._in_full(certified, defect, first)
            return
        self._blocked(certified, rule.id)

    def _title(self, rule: Rule, word: str, on: str, *, warns: bool) -> None:
        self.line(f"{word}{on} · {text.heading(rule)}", bold=True, yellow=warns, red=not warns)

    def _in_full(self, certified: Certified, defect: Defect, first: Defect | None) -> None:
        rule, result, record = self._catalogue[defect.result.rule], defect.result, defect.record
        place = ItemId(certified.plugin.label, record.case, record.rule, record.shard)
        command = again(self._options.to_plain(), place.nodeid, certified.module.given)
        if first is None:
            shown = result.violations if self._verbosity > 0 else defect.violations
            self._lines(text.lines_of(rule, result, violations=shown, broken=defect.broken, again=command))
        else:
            self._lines(text.told_above(result, first.result))
        by_fingerprint: dict[str, tuple[Result, list[str]]] = {}
        for each in defect.records:
            if each.result is not None and not defect.known:
                by_fingerprint.setdefault(each.result.fingerprint, (each.result, []))[1].append(each.case)
        for told, cases in by_fingerprint.values():
            self._lines(text.expectation(told, certified.plugin.key, list(dict.fromkeys(cases))))
        self._blocked(certified, rule.id)
        self._what_it_wrote(place)

    def _what_it_wrote(self, place: ItemId) -> None:
        for title, content in self._sections.get(place.nodeid, ()):
            if self._captures == "all" or (self._captures != "no" and self._captures in title):
                self._writer.write_sep("-", title)
                shown = content if self._verbosity > 0 else captured_output.shortened(content)
                self.line(shown.rstrip("\n"))

    def _blocked(self, certified: Certified, root: str) -> None:
        blocked = sorted({result.rule for result in certified.tally.results if result.blocked_by == root})
        if blocked:
            names = text.named(blocked, most=len(blocked) if self._verbosity > 0 else 6)
            self._lines(text.field("blocks", names))

    def _reasons(self, certified: Certified) -> None:
        """List the rules that were not judged for a reason of the plugin's or of this machine's."""
        by_reason: dict[Verdict, dict[str, list[str]]] = {}
        for result in sorted(certified.tally.results, key=lambda result: result.rule):
            rules = by_reason.setdefault(result.verdict, {}).setdefault(result.reason, [])
            if result.rule not in rules:
                rules.append(result.rule)
        if self._verbosity > 0:
            for verdict in (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.XFAIL):
                for reason, rules in sorted(by_reason.get(verdict, {}).items()):
                    self._lines(text.field(verdict.value, f"{text.named(rules, most=len(rules))}: {reason}"))
        elif self._verbosity > -2:  # noqa: PLR2004 - -qq
            self._first_reasons(by_reason.get(Verdict.NOT_RUN, {}))
            for reason, rules in by_reason.get(Verdict.XFAIL, {}).items():
                self._lines(text.field("XFAIL", f"{text.named(rules)}: {reason}"))

    def _first_reasons(self, reasons: Mapping[str, Sequence[str]]) -> None:
        """Tell why rules did not run, what keeps most of them first: the user may be able to do something about it."""
        most_first = sorted(reasons.items(), key=lambda told: -len(told[1]))
        for reason, rules in most_first[:_MOST_REASONS]:
            self._lines(text.field("NOT-RUN", f"{text.named(rules)}: {reason.partition(chr(10))[0]}"))
        others = list(itertools.chain.from_iterable(rules for _, rules in most_first[_MOST_REASONS:]))
        if others:
            why = text.counted(len(most_first) - _MOST_REASONS, "more reason")
            self._lines(text.field("", f"{text.named(others)}: {why}, with -v"))

    def _pastes(self, certified: Certified) -> None:
        name = certified.module.name.rpartition(".")[2]
        inferred = [case for case in certified.plugin.cases if case.inferred and case.paste]
        if inferred and self._verbosity < 0:
            self.line("  no case was given, and one was inferred; a run without -q prints it, to paste")
            return
        for case in inferred:
            again = name in self._pasted
            where = f"the same list of {name}_cases.py" if again else f"{name}_cases.py"
            self.line(f"  no case was given; this one was inferred, to paste into {where}:")
            lines = case.paste.splitlines()
            self._lines(f"    {line}".rstrip() for line in (_entries(lines) if again else lines))
            self._pasted.add(name)

    def _lines(self, lines: Iterable[str], **markup: bool) -> None:
        for line in lines:
            self.line(line, **markup)


def _entries(lines: Sequence[str]) -> Sequence[str]:
    """Return what stands in the list of cases, of a whole file of them."""
    return lines[lines.index("PLUGIN_CASES = [") + 1 : -1]


def _writable(told: str, encoding: str) -> str:
    """Return a line as a terminal can show it that has not all letters."""
    try:
        told.encode(encoding)
    except UnicodeEncodeError:
        return told.replace("·", "-").encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:  # whoever replaced standard output says what it knows
        return told
    return told


def _heading(certified: Certified, folder: Path) -> str:
    plugin = certified.plugin
    where = f"{_near(Path(plugin.file), folder)}:{plugin.line}" if plugin.file else plugin.module
    cases = ", ".join(map(_named, plugin.cases)) or "none"
    return f"{plugin.label} · {plugin.interface.value} · {plugin.creator} in {where} · cases: {cases}"


def _near(file: Path, folder: Path) -> Path:
    """Return a file as seen from a folder, if it is in there."""
    return file.relative_to(folder) if file.is_relative_to(folder) else file


def _named(case: CasePlan) -> str:
    return case.name if case.spec == DEFAULT else f"{case.name} (TensorRT {case.spec})"


def _module_line(module: ModulePlan) -> str:
    return text.summary(module.failure) if module.failure else ""


def show_latencies(reporter: TerminalReporter, latencies: Latencies) -> None:
    """Print what was measured, and what was compared; headings within a section are bold."""
    for title, lines in latencies.sections():
        reporter.write_sep("=", title)
        headings = any(line.startswith("  ") for line in lines)
        for line in lines:
            reporter.write_line(line, bold=headings and not line.startswith("  "))
