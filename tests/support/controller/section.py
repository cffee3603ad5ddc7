"""The section that a run prints at its end, of a run in this process: what tests of its wording need of a pytest."""

import importlib.metadata
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import structs

from harness.config.options import IsolationChoice
from harness.contract import catalogue
from harness.contract.verdict import InternalError
from harness.controller.begin import begin
from harness.controller.children import in_process
from harness.controller.host_session import Alone
from harness.controller.prepare import prepare
from harness.frontends.api.keywords import options_of
from harness.frontends.pytest_plugin import terminal
from harness.reports.document import document_of
from harness.results.ledger import Ledger
from harness.results.note import Note
from harness.results.selection import Taken
from tests.support import stub_judges

STUBS = Path(__file__).parents[1] / "stubs"
ENTRY = importlib.metadata.EntryPoint("stub", "stub_rules", catalogue.GROUP)


class Printed(pytest.LineMatcher):
    """The lines, whether the run is green, and its document."""

    def __init__(self, lines, document, *, is_good):
        super().__init__(lines)
        self.document, self.is_good = document, is_good


class Reporter:
    """The part of pytest's reporter that the section is printed through."""

    def __init__(self, folder, *, verbose, tbstyle):
        options = SimpleNamespace(verbose=verbose, tbstyle=tbstyle, showcapture="all", durations=None)
        place = SimpleNamespace(dir=folder)
        self.config = SimpleNamespace(option=options, invocation_params=place, getoption=vars(options).get)
        self.startpath = folder
        self._tw = SimpleNamespace(_file=SimpleNamespace(encoding="utf-8"))
        self.lines = []

    def write_line(self, line, **_):
        self.lines += line.split("\n")

    def write_sep(self, sep, title):
        self.lines.append(f" {title} ".center(100, sep))


@pytest.fixture
def section(tmp_path, monkeypatch):
    """Judge a module whose answers the test writes down (see ``stub_contract``), and return what is printed.

    ``verbose`` and ``tbstyle`` are pytest's, ``baseline`` is a file; others are named as in ``harness.certify``.
    """
    monkeypatch.setattr(sys, "path", [str(STUBS), *sys.path])
    monkeypatch.setattr(catalogue, "_entry_points", lambda: [ENTRY])
    monkeypatch.setattr(in_process, "the_judge", stub_judges.loader("stub_contract"))
    monkeypatch.setattr("harness.child.import_names.install", lambda *, cupy: None)  # noqa: ARG005
    monkeypatch.chdir(tmp_path)

    def show(*, plugin="", verbose=0, tbstyle="auto", baseline="", **choices):
        _forget()
        (tmp_path / "my_plugin.py").write_text(f"from stub_contract import *\n{plugin}")
        options = options_of("my_plugin", (), choices)
        options = structs.replace(options, isolation=IsolationChoice.NONE, baseline=baseline)
        summary, document = _judged(options)
        reporter = Reporter(tmp_path, verbose=verbose, tbstyle=tbstyle)
        terminal.show(reporter, options, summary, document, {}, [])
        return Printed(reporter.lines, document, is_good=summary.is_good)

    yield show
    _forget()


def _forget():
    for name in ("my_plugin", "stub_contract", "stub_rules"):
        sys.modules.pop(name, None)


def _judged(options):
    run, ledger = begin(prepare(Alone(), options)), Ledger()
    try:
        items = [item for item in run.plan.items(run.catalogue) if run.selection.admits(item[2])]
        run.will_run([place for _, _, place in items], Taken())
        for module, plugin, place in items:
            ledger.note(place.nodeid, _note(run, module, plugin, place))
        summary = ledger.summary(run.plan, run.catalogue, run.selection, run.taken, run.baseline)
        return summary, document_of(run.options, run.catalogue, summary, run.fuzzing.databases, root=str(Path.cwd()))
    finally:
        run.close(entirely=True)


def _note(run, module, plugin, place):
    try:
        found = run.judge(module, plugin, place)
    except InternalError as error:
        return Note(internal=str(error))
    return Note(found, run.fails(place, found), known=run.knows(place, found), excused=run.excuses(place, found))
