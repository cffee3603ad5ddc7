"""The section that a run prints at its end: what is wrong, cause by cause, and a last line a plugin.

A plugin without findings has one line, the last. With ``-v`` the reasons of what does not apply are
told as well, every example that was seen, and all that was written meanwhile; with ``-q`` there is nothing to paste,
and with ``-qq`` a failure has one line. Verdict by verdict, pytest's own ``-v`` lists them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.contract.api_level import DEFAULT
from harness.contract.verdict import Verdict, worded
from harness.contract.wording import counted, named
from harness.frontends.pytest_plugin import captured_output, slowest
from harness.reports import story
from harness.results.defects import defects_of
from harness.results.plugin_line import plugin_line
from harness.results.tally import Standing

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from harness.config.options import Options
    from harness.controller.latency.latencies import Latencies
    from harness.results.baseline import Compared
    from harness.results.defects import Defect
    from harness.results.ledger import Certified, Summary
    from harness.results.report import Document

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
    document: Document,
    sections: Sections,
    troubles: Sequence[str],
) -> None:
    """Print the section; the document is what the run's reports are made of, empty where it could not be made."""
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

    def line(self, told: str, **markup: bool) -> None:
        """Print a line, below the heading if that is still to come, in letters that the terminal has."""
        heading, self._heading = self._heading, ""
        if heading:
            self.line(heading, bold=True)
        self._writer.write_line(_writable(told, self._encoding), **markup)

    def module(self, defect: Defect) -> None:
        """Tell what is wrong with a module as such."""
        self._heading = f"{defect.subject} · the module"
        self._title(defect, worded(defect.verdict, defect.broken, defect.evidence))
        if self._style not in {"no", "line"}:
            self._fields(story.story_of(self._document, defect, in_full=True))
            self._what_it_wrote(defect)
        else:
            self.line(f"  {defect.summary}", red=True)
        self.line("")

    def plugin(self, certified: Certified, defects: Sequence[Defect]) -> None:
        """Tell what there is to tell of a plugin; nothing where its last line says it all."""
        heading = _heading(certified, self._writer.startpath)
        self._heading = heading
        if self._verbosity > 0:
            self._heading = ""
            self.line(heading, bold=True)
        for _, same in itertools.groupby(defects, key=lambda defect: defect.cause):
            group = [each for defect in same for each in (defect.examples if self._verbosity > 0 else [defect])]
            for number, defect in enumerate(group):
                self._defect(certified, defect, group[0] if number else None)
        self._reasons(certified)
        for origin, rules in certified.tally.incomplete.items():
            self._fields([("missing", f"{named(rules)}: {origin}")], red=True)
        self._pastes(certified)
        if not self._heading:
            self.line("")
        self._heading = ""

    def last_lines(self, summary: Summary) -> None:
        """Tell the verdict on each module that failed as such and on each plugin, and what the baseline makes of it."""
        for module in summary.modules:
            why = module.failure.summary if module.failure else ""
            self.line(f"FAILS · {module.name} · {why}", red=True, bold=True)
        for certified in summary.plugins:
            if certified.standing is not None:
                line = plugin_line(certified.plugin.label, certified.standing, certified.tally, self._options.level)
                self.line(line, bold=True, **{_COLOURS[certified.standing]: True})
        if summary.compared is not None:
            self._baseline(summary.compared)

    def _baseline(self, compared: Compared) -> None:
        file = _near(Path(self._options.baseline), self._writer.config.invocation_params.dir)
        self.line(f"baseline {file}: {counted(compared.known, 'known result')}")
        renewal = f"renew it, with --plugin-report=json:{file}"
        if compared.fixed:
            self.line(f"  fixed since: {named(compared.fixed)}; {renewal}", green=True)
        if compared.vanished:
            lost = f"it judged {named(compared.vanished)}, and this run finds no such plugin"
            self.line(f"FAILS · {lost}: look why, or {renewal}", red=True, bold=True)
        if compared.unvisited:
            self.line(f"  it judged plugins of {named(compared.unvisited)} too, which this run does not name")

    def _defect(self, certified: Certified, defect: Defect, first: Defect | None) -> None:
        """Tell one defect; in short where ``first``, which comes from the same cause, was told just above."""
        on = f" on {', '.join(defect.cases)}" if len(certified.plugin.cases) > 1 else ""
        word = worded(defect.verdict, defect.broken, defect.evidence)
        if defect.known and self._verbosity <= 0:
            self.line(f"  known     {defect.rule} {word}{on}: {defect.summary}", yellow=True)
        elif self._style in {"no", "line"}:
            self.line(f"  {defect.rule} {word}{on}: {defect.summary}", **_colour(defect))
        else:
            self._title(defect, f"{word}{', known from the baseline' if defect.known else ''}{on}")
            self._in_full(certified, defect, first)
            return
        self._blocked(certified, defect.rule)

    def _title(self, defect: Defect, word: str) -> None:
        self.line(f"{word} · {defect.heading}", bold=True, **_colour(defect))

    def _in_full(self, certified: Certified, defect: Defect, first: Defect | None) -> None:
        parts = story.story_of(self._document, defect, in_full=self._verbosity > 0)
        self._fields(parts if first is None else story.same_as(defect, first))
        if not defect.known:
            told = "\n".join(f"{where}: {entry}" for where, entry in story.expectation(defect).items())
            self._fields([("to expect", told)] if told else [])
        self._blocked(certified, defect.rule)
        self._what_it_wrote(defect)

    def _what_it_wrote(self, defect: Defect) -> None:
        for title, content in self._sections.get(defect.smallest.id, ()):
            if self._captures == "all" or (self._captures != "no" and self._captures in title):
                self._writer.write_sep("-", title)
                shown = content if self._verbosity > 0 else captured_output.shortened(content)
                self.line(shown.rstrip("\n"))

    def _blocked(self, certified: Certified, root: str) -> None:
        blocked = sorted({result.rule for result in certified.tally.results if result.blocked_by == root})
        if blocked:
            names = named(blocked, most=len(blocked) if self._verbosity > 0 else 6)
            self._fields([("blocks", names)])

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
                    self._fields([(verdict.value, f"{named(rules, most=len(rules))}: {reason}")])
        elif self._verbosity > -2:  # noqa: PLR2004 - -qq
            self._first_reasons(by_reason.get(Verdict.NOT_RUN, {}))
            for reason, rules in by_reason.get(Verdict.XFAIL, {}).items():
                self._fields([("XFAIL", f"{named(rules)}: {reason}")])

    def _first_reasons(self, reasons: Mapping[str, Sequence[str]]) -> None:
        """Tell why rules did not run, what keeps most of them first: the user may be able to do something about it."""
        most_first = sorted(reasons.items(), key=lambda told: -len(told[1]))
        for reason, rules in most_first[:_MOST_REASONS]:
            self._fields([("NOT-RUN", f"{named(rules)}: {reason.partition(chr(10))[0]}")])
        others = list(itertools.chain.from_iterable(rules for _, rules in most_first[_MOST_REASONS:]))
        if others:
            why = counted(len(most_first) - _MOST_REASONS, "more reason")
            self._fields([("", f"{named(others)}: {why}, with -v")])

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
            if again:  # only what stands in the list of cases
                lines = lines[lines.index("PLUGIN_CASES = [") + 1 : -1]
            self._lines(f"    {line}".rstrip() for line in lines)
            self._pasted.add(name)

    def _fields(self, parts: Iterable[tuple[str, str]], **markup: bool) -> None:
        self._lines(story.fields(parts), **markup)

    def _lines(self, lines: Iterable[str], **markup: bool) -> None:
        for line in lines:
            self.line(line, **markup)


def _writable(told: str, encoding: str) -> str:
    """Return a line as a terminal can show it that has not all letters."""
    try:
        told.encode(encoding)
    except UnicodeEncodeError:
        return told.replace("·", "-").encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:  # what took the place of standard output names an encoding that Python has not
        pass
    return told


def _heading(certified: Certified, folder: Path) -> str:
    plugin = certified.plugin
    where = f"{_near(Path(plugin.file), folder)}:{plugin.line}" if plugin.file else plugin.module
    names = (case.name if case.spec == DEFAULT else f"{case.name} (TensorRT {case.spec})" for case in plugin.cases)
    cases = ", ".join(names) or "none"
    return f"{plugin.label} · {plugin.interface.value} · {plugin.creator} in {where} · cases: {cases}"


def _near(file: Path, folder: Path) -> Path:
    """Return a file as seen from a folder, if it is in there."""
    return file.relative_to(folder) if file.is_relative_to(folder) else file


def _colour(defect: Defect) -> dict[str, bool]:
    warns = defect.verdict == Verdict.WARN.value or defect.known
    return {"yellow": warns, "red": not warns}


def show_latencies(reporter: TerminalReporter, latencies: Latencies) -> None:
    """Print what was measured, and what was compared; headings within a section are bold."""
    for title, lines in latencies.sections():
        reporter.write_sep("=", title)
        headings = any(line.startswith("  ") for line in lines)
        for line in lines:
            reporter.write_line(line, bold=headings and not line.startswith("  "))
