"""Print the section at the end of a run: the failures by their causes, then a line for each plugin.

A plugin without findings has one line, the last. A rule that warns has one line. A failure has at most nine lines. They
show the rule, the finding with place and fix, the replay command, and failures of the same cause.

* ``-v`` shows warnings and failures in full. It adds findings with other texts, the code, the source, the BLOCKED rules
  and how to expect the failure. It also says why rules do not apply. pytest itself lists each verdict.
* ``-vv`` adds findings that differ only in numbers, and the whole output with this distribution's frames.
* ``-q`` leaves out inferred cases.
* ``-qq`` shows a failure in one line.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.contract.api_level import DEFAULT
from harness.contract.verdict import Verdict, worded
from harness.contract.wording import counted, named
from harness.frontends.pytest_plugin import captured_output, slowest
from harness.reports import story
from harness.reports.plain import inert
from harness.reports.spot import Spot, spot_of
from harness.results.defects import causes_of, defects_of
from harness.results.module_rules import CASE, MODULE_RULES
from harness.results.plugin_line import plugin_line
from harness.results.tally import NO_CASE, Standing

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from harness.config.options import Options
    from harness.controller.latency.latencies import Latencies
    from harness.results.baseline import Compared
    from harness.results.defects import Defect
    from harness.results.ledger import Certified, Summary
    from harness.results.report import Document
    from harness.results.run_plan import ModulePlan

    Sections = Mapping[str, Sequence[tuple[str, str]]]

TITLE = "TensorRT plugin conformance"
#: The number of reasons of NOT-RUN that are shown without ``-v``.
_MOST_REASONS = 3
#: The last line of a section that shows findings without all details.
_MORE = "-v shows each finding in full: code, stack, source, blocked rules and how to expect it"
_FIX_OF_CASE = "Fill in the case below, or correct what refuses all that was tried."
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
    document: Document,
    sections: Sections,
    troubles: Sequence[str],
) -> None:
    """Print the section. ``document`` is the run's document; it is empty if it could not be made or is not needed."""
    page = Page(writer, options, document, sections)
    touched = [certified for certified in summary.plugins if certified.standing is not None]
    if not touched and not summary.modules and not troubles:
        return
    writer.write_sep("=", TITLE)
    defects = [defect for defect in defects_of(document) if not defect.expected] if document else []
    for defect in defects:
        if not defect.cases:
            page.module(defect)
    for certified in touched:
        page.plugin(certified, [each for each in defects if each.cases and each.subject == certified.plugin.label])
    page.skipped(summary.described)
    for internal in dict.fromkeys(text.partition("\n")[0] for text in summary.internal):
        page.line(internal, red=True)
    page.last_lines(summary)
    page.hint()
    for trouble in troubles:
        page.line(trouble, red=True, bold=True)
    took = slowest.lines(touched, writer.config)
    if took:
        writer.write_sep("-", slowest.TITLE)
        for line in took:
            page.line(line)


class Page:
    """Prints through pytest's terminal writer, with the width, verbosity and style of pytest's options."""

    def __init__(self, writer: TerminalReporter, options: Options, document: Document, sections: Sections) -> None:
        self._writer = writer
        self._options = options
        self._document = document
        self._sections = sections
        option = writer.config.option
        self._verbosity = option.verbose
        self._style = option.tbstyle if self._verbosity > -2 else "line"  # noqa: PLR2004 - -qq
        self._captures = option.showcapture
        self._encoding = getattr(writer._tw._file, "encoding", None) or "utf-8"  # noqa: SLF001 - it has no public name
        self._heading = ""
        self._pasted: set[str] = set()
        self._left_out = False

    def line(self, text: str, **markup: bool) -> None:
        """Print a line in the terminal's encoding; the plugin's heading first, if it is not printed yet."""
        heading, self._heading = self._heading, ""
        if heading:
            self.line(heading, bold=True)
        self._writer.write_line(_writable(inert(text), self._encoding), **markup)

    def module(self, defect: Defect) -> None:
        """Report a module that failed as a whole."""
        self._heading = f"{defect.subject} · the module"
        self._title(defect, _word(defect))
        if self._style not in {"no", "line"}:
            self._story(defect, in_full=True)
            self._what_it_wrote(defect, captured_output.shortened)
        else:
            self.line(f"  {defect.summary}", red=True)
        self.line("")

    def plugin(self, certified: Certified, defects: Sequence[Defect]) -> None:
        """Report the findings on a plugin; print nothing if there are none."""
        heading = _heading(certified, self._writer.startpath)
        self._heading = heading
        if self._verbosity > 0:
            self._heading = ""
            self.line(heading, bold=True)
        defects = [each for each in defects if self._verbosity > 0 or each.verdict != Verdict.NOTE.value]
        folded = [defect for defect in defects if self._is_folded(defect)]
        unfolded = [defect for defect in defects if not self._is_folded(defect)]
        if self._is_short:
            self._in_short(certified, unfolded)
        else:
            self._by_cause(certified, unfolded)
        self._warnings(certified, folded)
        self._reasons(certified)
        for origin, rules in certified.tally.incomplete.items():
            if origin != NO_CASE:
                self._fields([("missing", f"{named(rules)}: {origin}")], red=True)
        self._without_cases(certified)
        self._pastes(certified)
        if not self._heading:
            self.line("")
        self._heading = ""

    def skipped(self, modules: Iterable[ModulePlan]) -> None:
        """Print the creator classes that were not judged, each in one line with the reason."""
        for module in modules:
            for each in module.skipped:
                if self._verbosity >= 0:
                    line = f":{each['line']}" if each["line"] else ""
                    where = f"{_near(Path(each['file']), self._writer.startpath)}{line}"
                    self.line(f"left out: {each['name']} in {where}: {each['why']}", yellow=True)
            if module.left_out and self._verbosity >= 0:
                self.line(f"left out by --plugin-include or --plugin-exclude: {named(module.left_out)}")

    def last_lines(self, summary: Summary) -> None:
        """Report the verdict on each failed module and on each plugin, and its comparison with the baseline."""
        for module in summary.modules:
            why = module.failure.summary if module.failure else ""
            self.line(f"FAILS · {module.name} · {why}", red=True, bold=True)
        for certified in summary.plugins:
            if certified.standing is not None:
                line = plugin_line(certified.plugin.label, certified.standing, certified.tally, self._options.level)
                self.line(line, bold=True, **{_COLOURS[certified.standing]: True})
                doubts = [f"case {name}: {doubt}" for name, each in certified.cases.items() for doubt in each.doubts]
                if doubts and _COLOURS[certified.standing] != "red":
                    self.line(f"  leaves out: {'; '.join(doubts)}", yellow=True)
        if built := self._document.get("built_too"):
            self.line(built)
        if summary.compared is not None:
            self._baseline(summary.compared)

    def hint(self) -> None:
        """Print which option shows the findings in full, if some are shown in short."""
        if self._left_out:
            self.line(_MORE)

    def _baseline(self, compared: Compared) -> None:
        file = _near(Path(self._options.baseline), self._writer.config.invocation_params.dir)
        self.line(f"baseline {file}: {counted(compared.known, 'known result')}")
        renewal = f"renew it, with --plugin-report=json:{file}"
        if compared.fixed:
            self.line(f"  fixed since: {named(compared.fixed)}; {renewal}", green=True)
        if compared.changed:
            self.line(f"  changed since: {named(compared.changed)}: what it finds now is new", red=True)
        if compared.vanished:
            lost = f"it judged {named(compared.vanished)}, and this run does not find it"
            self.line(f"FAILS · {lost}: look why, or {renewal}", red=True, bold=True)
        if compared.unvisited:
            self.line(f"  it judged plugins of {named(compared.unvisited)} too, which this run does not name")

    @property
    def _is_short(self) -> bool:
        """Return whether the page shows only the first lines of a failure."""
        return self._verbosity <= 0 and self._style not in {"no", "line"}

    def _by_cause(self, certified: Certified, defects: Sequence[Defect]) -> None:
        """Report all defects; of defects with one cause, only the first in full."""
        for _, same in itertools.groupby(defects, key=lambda defect: defect.cause):
            group = [each for defect in same for each in (defect.examples if self._verbosity > 1 else [defect])]
            for number, defect in enumerate(group):
                self._defect(certified, defect, group[0] if number else None)

    def _in_short(self, certified: Certified, defects: Sequence[Defect]) -> None:
        """Report each cause in a few lines, and all its consequences in one line."""
        for cause, also in causes_of(defects):
            if cause.known:
                for defect in (cause, *also):
                    self._defect(certified, defect, None)
                continue
            self._title(cause, f"{_word(cause)}{_on_cases(certified, cause)}")
            self._findings(story.story_of(self._document, cause, folder=str(self._writer.startpath)))
            if also:
                rules = named(list(dict.fromkeys(each.rule for each in also)))
                self._fields([("also", f"{rules}: probably the same cause")])
            self._what_it_wrote(cause, captured_output.without_logger)

    def _defect(self, certified: Certified, defect: Defect, first: Defect | None) -> None:
        """Report one defect, in short if ``first`` is given: a defect of the same cause that was printed above."""
        on, word = _on_cases(certified, defect), _word(defect)
        if defect.known and self._verbosity <= 0:
            self.line(f"  known     {defect.rule} {word}{on}: {defect.summary}", yellow=True)
        elif self._style in {"no", "line"}:
            self.line(f"  {defect.rule} {word}{on}: {defect.summary}", **_colour(defect))
        else:
            self._title(defect, f"{word}{', known from the baseline' if defect.known else ''}{on}")
            self._in_full(certified, defect, first)
            return
        self._blocked(certified, defect.rule)

    def _is_folded(self, defect: Defect) -> bool:
        """Return whether a defect is a warning that shares one line with the other warnings of its rule."""
        warns = defect.verdict == Verdict.WARN.value and not defect.fails and not defect.known
        return warns and self._verbosity <= 0 and self._style not in {"no", "line"}

    def _warnings(self, certified: Certified, defects: Sequence[Defect]) -> None:
        """Print each rule that warns in one line, with the line of the plugin to look at first."""
        by_rule: dict[str, list[Defect]] = {}
        for defect in defects:
            by_rule.setdefault(defect.rule, []).append(defect)
        for rule, of_rule in by_rule.items():
            findings = counted(sum(defect.broken for defect in of_rule), "finding")
            spot = spot_of(self._document, of_rule[0])
            where = f" · {_place(spot, self._writer.startpath)}" if spot else ""
            self._fields([("WARN", f"{rule} ({findings}): {of_rule[0].summary}{where}")], yellow=True)
            self._blocked(certified, rule)
            self._left_out = True

    def _title(self, defect: Defect, word: str) -> None:
        self.line(f"{word} · {defect.heading}", bold=True, **_colour(defect))

    def _in_full(self, certified: Certified, defect: Defect, first: Defect | None) -> None:
        if first is None:
            self._story(defect, in_full=self._verbosity > 1)
        else:
            self._findings(story.same_as(defect, first))
        if not defect.known and self._verbosity > 0:
            entries = "\n".join(f"{where}: {entry}" for where, entry in story.expectation(defect).items())
            self._fields([("to expect", entries)] if entries else [])
        self._blocked(certified, defect.rule)
        self._what_it_wrote(defect, captured_output.shortened)

    def _story(self, defect: Defect, *, in_full: bool) -> None:
        folder = str(self._writer.startpath)
        self._findings(story.story_of(self._document, defect, in_full=in_full, folder=folder))

    def _findings(self, parts: Iterable[tuple[str, str]]) -> None:
        """Print the parts of a finding; without ``-v`` only the parts that the plugin's author needs first."""
        if self._verbosity <= 0:
            self._left_out = True
            parts = story.in_short(parts)
        for number, (name, text) in enumerate(parts):
            if name == story.ANSWERS[0] and number:
                self.line("")
            self._fields([(name, text)])

    def _what_it_wrote(self, defect: Defect, shorten: Callable[[str], str]) -> None:
        """Print the output that was captured for a defect; ``shorten`` shortens it without ``-vv``."""
        for title, content in self._sections.get(defect.smallest.id, ()):
            if self._captures == "all" or (self._captures != "no" and self._captures in title):
                shown = content if self._verbosity > 1 else shorten(content)
                if shown.strip():
                    self._writer.write_sep("-", title)
                    self.line(shown.rstrip("\n"))

    def _blocked(self, certified: Certified, root: str) -> None:
        blocked = sorted({result.rule for result in certified.tally.results if result.blocked_by == root})
        if blocked and self._verbosity > 0:
            self._fields([("blocks", named(blocked, most=len(blocked)))])

    def _reasons(self, certified: Certified) -> None:
        """Print the reasons why rules were not judged, each with its rules: without ``-v`` only NOT-RUN and XFAIL."""
        by_reason: dict[Verdict, dict[str, list[str]]] = {}
        for result in sorted(certified.tally.results, key=lambda result: result.rule):
            rules = by_reason.setdefault(result.verdict, {}).setdefault(result.reason, [])
            if result.rule not in rules:
                rules.append(result.rule)
        if self._verbosity > 0:
            for verdict in (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.XFAIL):
                for reason, rules in sorted(by_reason.get(verdict, {}).items()):
                    self._fields([(verdict.value, f"{named(rules, most=len(rules))}: {reason}")])
        elif self._verbosity > -2:  # noqa: PLR2004 - -qq
            of_cases = {case.unknown for case in certified.plugin.cases}  # ``_without_cases`` prints these
            reasons = by_reason.get(Verdict.NOT_RUN, {})
            self._first_reasons({reason: rules for reason, rules in reasons.items() if reason not in of_cases})
            for reason, rules in by_reason.get(Verdict.XFAIL, {}).items():
                self._fields([("XFAIL", f"{named(rules)}: {reason}")])

    def _first_reasons(self, reasons: Mapping[str, Sequence[str]]) -> None:
        """Print the most frequent reasons why rules did not run, and the number of others."""
        most_first = sorted(reasons.items(), key=lambda reason: -len(reason[1]))
        for reason, rules in most_first[:_MOST_REASONS]:
            self._fields([("NOT-RUN", f"{named(rules)}: {reason.partition(chr(10))[0]}")])
        others = list(itertools.chain.from_iterable(rules for _, rules in most_first[_MOST_REASONS:]))
        if others:
            why = counted(len(most_first) - _MOST_REASONS, "more reason")
            self._fields([("", f"{named(others)}: {why}, with -v")])

    def _without_cases(self, certified: Certified) -> None:
        """Print the cases that could not be inferred: why, and which rules need a case."""
        rules = certified.tally.incomplete.get(NO_CASE, [])
        for case in certified.plugin.cases:
            if case.unknown and rules:
                self.line(f"INCOMPLETE · {MODULE_RULES[CASE].heading}", bold=True, red=True)
                missing = ("missing", f"{named(rules)}: they need a case; the other rules are judged")
                self._fields([("what", case.unknown), missing, ("fix", _FIX_OF_CASE)])

    def _pastes(self, certified: Certified) -> None:
        name = certified.module.name.rpartition(".")[2]
        inferred = [case for case in certified.plugin.cases if case.inferred and case.paste]
        if inferred and self._verbosity < 0:
            what = "one was inferred in part" if any(case.unknown for case in inferred) else "one was inferred"
            self.line(f"  no case was given, and {what}; a run without -q prints it, to paste")
            return
        for case in inferred:
            again = name in self._pasted
            where = f"the same list of {name}_cases.py" if again else f"{name}_cases.py"
            if case.unknown:
                self.line(f"  to have all rules judged, fill in this case in {where}:")
            else:
                self.line(f"  no case was given; this case was inferred, to paste into {where}:")
            lines = case.paste.splitlines()
            if again:  # only the entries of the list
                lines = lines[lines.index("PLUGIN_CASES = [") + 1 : -1]
            self._lines(f"    {line}".rstrip() for line in lines)
            self._pasted.add(name)

    def _fields(self, parts: Iterable[tuple[str, str]], **markup: bool) -> None:
        self._lines(story.fields(parts), **markup)

    def _lines(self, lines: Iterable[str], **markup: bool) -> None:
        for line in lines:
            self.line(line, **markup)


def _writable(text: str, encoding: str) -> str:
    """Return a text with escapes in place of the characters that the terminal's encoding lacks."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.replace("·", "-").encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:  # a replacement of standard output may name an encoding that Python does not have
        pass
    return text


def _heading(certified: Certified, folder: Path) -> str:
    plugin = certified.plugin
    where = _place(Spot(plugin.file, plugin.line), folder) if plugin.file else plugin.module
    names = (case.name if case.spec == DEFAULT else f"{case.name} (TensorRT {case.spec})" for case in plugin.cases)
    cases = ", ".join(names) or "none"
    return f"{plugin.label} · {plugin.interface.value} · {plugin.creator} in {where} · cases: {cases}"


def _place(spot: Spot, folder: Path) -> str:
    file = _near(Path(spot.file), folder)
    return f"{file}:{spot.line}" if spot.line else str(file)


def _near(file: Path, folder: Path) -> Path:
    """Return a file's path relative to a folder if the file is in the folder; else unchanged."""
    return file.relative_to(folder) if file.is_relative_to(folder) else file


def _word(defect: Defect) -> str:
    return worded(defect.verdict, defect.broken, defect.evidence)


def _on_cases(certified: Certified, defect: Defect) -> str:
    """Return ``" on "`` and the cases that show a defect; empty if the plugin has one case."""
    return f" on {', '.join(defect.cases)}" if len(certified.plugin.cases) > 1 else ""


def _colour(defect: Defect) -> dict[str, bool]:
    warns = defect.verdict in {Verdict.WARN.value, Verdict.NOTE.value} or defect.known
    return {"yellow": warns, "red": not warns}


def show_latencies(reporter: TerminalReporter, latencies: Latencies) -> None:
    """Print the sections of measurements and comparisons; headings within a section are bold."""
    for title, lines in latencies.sections():
        reporter.write_sep("=", title)
        headings = any(line.startswith("  ") for line in lines)
        for line in lines:
            reporter.write_line(line, bold=headings and not line.startswith("  "))
