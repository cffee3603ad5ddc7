"""The JSON report of a module is the same, byte for byte, however busy the machine is and however the run is made.

Times, numbers of processes and what names this run are left out.
"""

import contextlib
import json
import os
import re
import subprocess
import sys

import pytest

from tests.support import witnesses
from tests.support.digest import report_of

PLAIN = ("-p", "no:randomly")
WORKERS = ("-n", "2", "-p", "randomly", "--randomly-seed=1")
#: The ways of running: ``name: (what comes before the command, pytest's arguments, how many busy loops run beside)``.
#: One loop and its run share one processor; several have all that there are.
WAYS = {
    "beside a busy loop on its processor": ((), PLAIN, 1),
    "beside four busy loops": ((), PLAIN, 4),
    "two niced workers, in another order": (("nice", "-n", "19"), WORKERS, 0),
}
#: What a clock decided once: drawn examples and threads in turns in a sound plugin, and memory that grows in a fault.
BY_DAY = [
    ("plugin_examples.bar", "two niced workers, in another order", ("--plugin-select=FUZ-009,THR-003",)),
    (witnesses.named("streams_noted"), "beside a busy loop on its processor", ("--plugin-select=ENQ-017",)),
]
MANY = (*witnesses.examples()[:8], *sorted(witnesses.witnesses())[::40][:12])
#: By night each module is run in one of the ways, the next module in the next way.
BY_NIGHT = [(module, list(WAYS)[number % len(WAYS)]) for number, module in enumerate(MANY)]
#: What may differ from run to run, by its key in the report.
OF_THE_RUN = {"root", "seconds", "date"}


@contextlib.contextmanager
def busy(number):
    """Keep the processors busy meanwhile; one loop and what is run beside it have one processor."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(own)} if number == 1 else own)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)
        for loop in loops:
            loop.kill()
            loop.wait()


def without_the_run(value):
    """Return a part of a report without what names the run, and without numbers of processes."""
    if isinstance(value, dict):
        return {key: without_the_run(each) for key, each in value.items() if key not in OF_THE_RUN}
    if isinstance(value, list):
        return [without_the_run(each) for each in value]
    return re.sub(r"\b(pid|process) \d+", r"\1 N", value) if isinstance(value, str) else value


def text_of(module, folder, before=(), arguments=PLAIN, loops=0):
    """Certify a module as a user would, and return the text of its report, a line for each value."""
    with busy(loops):
        report = report_of([module], folder, *arguments, before=before)
    return json.dumps(without_the_run(report), indent=1, sort_keys=True)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Return the report of a module's plain run, which is made once."""
    known = {}

    def report(module, rules):
        if (module, rules) not in known:
            known[module, rules] = text_of(module, tmp_path_factory.mktemp("plain"), arguments=(*PLAIN, *rules))
        return known[module, rules]

    return report


def assert_same(module, way, plain, tmp_path, rules=()):
    before, arguments, loops = WAYS[way]
    seen = text_of(module, tmp_path, before, (*arguments, *rules), loops)
    assert seen.splitlines() == plain(module, rules).splitlines()


@pytest.mark.parametrize(("module", "way", "rules"), BY_DAY)
def test_a_report_is_the_same_at_any_load(module, way, rules, plain, tmp_path):
    assert_same(module, way, plain, tmp_path, rules)


@pytest.mark.nightly
@pytest.mark.parametrize(("module", "way"), BY_NIGHT)
def test_each_report_is_the_same_however_the_run_is_made(module, way, plain, tmp_path):
    assert_same(module, way, plain, tmp_path)
