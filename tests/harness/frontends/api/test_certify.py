"""``harness.certify``: the verdicts of a pytest run, without pytest's session around it."""

import importlib.metadata
import json
import logging
import os
import random
import signal
import subprocess
import sys
import textwrap
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import harness
from harness import Standing, UsageError, Verdict
from harness.contract import catalogue
from harness.controller.children import child_process, in_process
from harness.process import linux
from tests.support import stub_judges
from tests.support.forked_processes import PROCESSES

DATA = Path(__file__).parents[3] / "support" / "stubs"
HOME = Path(__file__).parents[4]
ENTRY = importlib.metadata.EntryPoint("stub", "stub_rules", catalogue.GROUP)
TWO_BROKEN = "def fmt_001(): return 'looked past pos'\ndef fmt_002(): return 'took two answers'\n"
PEEKS = "plugin_examples.faulty.formats.format_peeks_ahead"


@pytest.fixture
def stub(monkeypatch, tmp_path):
    """Certify a module whose answers the test writes down (see ``stub_contract``), without the current options."""
    for name in [name for name in os.environ if name.startswith("TRT_CONFORMANCE_")]:
        monkeypatch.delenv(name)
    monkeypatch.syspath_prepend(DATA)
    monkeypatch.setenv("PYTHONPATH", f"{HOME}:{DATA}")
    monkeypatch.setattr(catalogue, "_entry_points", lambda: [ENTRY])
    monkeypatch.setattr(child_process, "BOOT", stub_judges.boot("stub_contract"))
    monkeypatch.setattr(in_process, "the_judge", stub_judges.loader("stub_contract"))
    monkeypatch.chdir(tmp_path)

    def certify(plugin="", **more):
        (tmp_path / "my_plugin.py").write_text(f"from stub_contract import *\n{plugin}")
        return harness.certify(**{"module": "my_plugin", **more})

    return certify


@pytest.fixture
def no_child_stays():
    """Insist that a test leaves no process behind, but for the template that others are forked from."""
    assert PROCESSES.template
    before = linux.children_of(os.getpid())
    yield
    assert linux.children_of(os.getpid()) == before


@pytest.mark.usefixtures("no_child_stays")
def test_a_report_tells_each_verdict(stub):
    seen = []
    report = stub(
        "def enq_002(): return 'the sum is wrong'\ndef cfg_001(): return not_run('no GPU')", on_result=seen.append
    )
    assert seen == list(report.results)
    told = {result.rule: (result.verdict, result.failed, result.evidence, result.reason) for result in report.results}
    assert told == {
        "CFG-001": (Verdict.NOT_RUN, False, 0, "no GPU"),
        "ENQ-001": (Verdict.PASS, False, 3, ""),
        "ENQ-002": (Verdict.FAIL, True, 2, ""),
        "FMT-001": (Verdict.PASS, False, 3, ""),
        "FMT-002": (Verdict.PASS, False, 3, ""),
    }
    broken = next(result for result in report.results if result.failed)
    assert (broken.id, broken.plugin, broken.case) == (
        "conformance::/Bar/1::two-inputs::ENQ-002",
        "/Bar/1",
        "two-inputs",
    )
    assert (broken.violations[0].what, broken.severity.value) == ("the sum is wrong", "error")
    assert broken.requirement == "The output is what the reference says."
    assert [(plugin.key, plugin.standing) for plugin in report.plugins] == [("/Bar/1", Standing.FAILS)]
    assert not report.ok
    assert "  what      the sum is wrong\n" in report.text()
    assert report.text().splitlines()[-1].startswith("FAILS · /Bar/1 · 1 rule failed (ENQ-002), 3 rules passed")
    with pytest.raises(harness.CertificationError, match="the sum is wrong"):
        report.raise_for_failures()
    with pytest.raises(AttributeError):
        report.ok = True


def test_a_good_report_raises_nothing(stub):
    report = stub(level=10, seed=3)
    report.raise_for_failures()
    assert report.ok
    assert (report.document["level"], report.document["seeds"]) == (10, [3])


@pytest.mark.parametrize(
    ("choices", "standing", "ok"),
    [
        ({}, Standing.CONFORMS, True),
        ({"fail_on": "warning"}, Standing.FAILS, False),
        ({"select": "FMT"}, Standing.PARTIAL, True),
        ({"ignore": ["FMT-001", "FMT-002"]}, Standing.PARTIAL, True),
    ],
)
def test_options_mean_what_they_mean_to_pytest(stub, choices, standing, ok):
    report = stub("def cfg_001(): return 'printed a line'", **choices)
    assert ([plugin.standing for plugin in report.plugins], report.ok) == ([standing], ok)


@pytest.mark.real_processes
def test_the_document_is_that_of_a_pytest_run(stub):
    plugin = (
        "PLUGINS = ['/Bar/1', '/Foo/1']\ndef enq_002(): return 'wrong'\n"
        "def fmt_001(): return met('supports_format_combination')"
    )
    report = stub(plugin, select=["FMT", "ENQ"])
    options = ["-p", "pytest_trt_conformance", "-p", "stub_certification", "-p", "no:cacheprovider"]
    Path("pytest.ini").write_text("[pytest]")
    asked = ["--plugin-module=my_plugin", "--plugin-select=FMT,ENQ", "--plugin-report=json:r.json"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", *options, *asked]
    done = subprocess.run(command, env=alone, check=False, capture_output=True, text=True)  # noqa: S603 - our own
    assert done.returncode == 1, done.stdout + done.stderr
    assert report.document == json.loads(Path("r.json").read_text())
    assert not report.ok


def test_nothing_of_the_callers_process_changes(stub):
    def state():
        logger = logging.getLogger()
        handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
        streams = (sys.stdin, sys.stdout, sys.stderr)
        names = {name for name in sys.modules if name.partition(".")[0] in {"tensorrt", "cupy", "my_plugin"}}
        where = (Path.cwd(), list(sys.path), dict(os.environ), os.getpgid(0))
        return logger.handlers[:], logger.level, handlers, streams, names, where, random.getstate(), warnings.filters[:]

    stub()
    before = state()
    stub("import os, logging\nos.chdir('/')\nlogging.basicConfig()")
    assert state() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError, SystemExit])
@pytest.mark.usefixtures("no_child_stays")
def test_an_exception_of_the_callback_ends_the_run_and_the_children(stub, error):
    def stop(_):
        raise error

    with pytest.raises(error):
        stub(on_result=stop)


@pytest.mark.usefixtures("no_child_stays")
def test_a_module_that_cannot_be_imported_is_a_result(stub):
    report = stub("raise ImportError('no such luck')")
    assert not report.ok
    (result,) = report.results
    assert (result.rule, result.plugin, result.id) == ("IMPORT", "", "conformance::my_plugin::IMPORT")
    assert report.text().endswith("FAILS · my_plugin · the module")
    assert "no such luck" in report.text()


def test_a_rule_that_fails_by_itself_is_no_verdict_and_never_good(stub):
    report = stub("def enq_002(): return Answer(Kind.BROKEN, reason='a bug')")
    assert not report.ok
    assert "rule ENQ-002 failed by itself" in report.text()
    assert "ENQ-002" not in [result.rule for result in report.results]


def test_what_is_blocked_names_its_root(stub):
    report = stub(TWO_BROKEN, select="FMT")
    blocked = next(result for result in report.results if result.rule == "FMT-002")
    assert (blocked.verdict, blocked.failed) == (Verdict.BLOCKED, False)
    (alone,) = stub(TWO_BROKEN, select="FMT-002").results
    assert (alone.verdict, alone.failed) == (Verdict.BLOCKED, True)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"module": "my_plugn"}, r"there is no module named 'my_plugn'; .* \(did you mean 'my_plugin'\?\)"),
        ({"select": "FTM"}, r"there is no rule, family or severity 'FTM' \(did you mean 'FMT'\?\)"),
        ({"select": "TAC"}, "leaves no rule about IPluginV2DynamicExt"),
    ],
)
@pytest.mark.usefixtures("no_child_stays")
def test_what_makes_no_sense_is_told(stub, wanted, told):
    with pytest.raises(UsageError, match=told):
        stub(**wanted)


def test_environment_and_files_are_not_read(stub, monkeypatch, tmp_path):
    monkeypatch.setenv("TRT_CONFORMANCE_SELECT", "FMT")
    (tmp_path / "pyproject.toml").write_text("[tool.trt-conformance]\nselect = 'FMT'\nlevel = 1")
    assert stub().document["options"]["select"] == []


def test_a_module_object_is_imported_anew_from_its_file(stub, tmp_path):
    module = types.ModuleType("my_plugin")
    module.__file__ = str(tmp_path / "my_plugin.py")
    assert stub(module=module, select="FMT").ok
    assert stub(module=tmp_path / "my_plugin.py", select="FMT").ok


def test_functions_of_cases_in_memory_reach_the_plugin():
    slope = 0.1

    def leaky(factor):
        return {
            "plugin": "LeakyRelu",
            "name": f"times-{factor}",
            "fields": {"negative_slope": np.array([slope], np.float32)},
            "inputs": [{"dims": ("n",), "min": (1,), "opt": (4,), "max": (9,), "types": ("float32",)}],
            "reference": lambda x, *, fields: np.where(x > 0, x, x * fields["negative_slope"][0] * factor).astype(
                x.dtype
            ),
        }

    report = harness.certify("plugin_examples.leaky_relu", [leaky(1), leaky(2)], select="ENQ-010", level=1)
    found = {result.case: result.verdict for result in report.results}
    assert found["times-1"] is Verdict.PASS
    assert found["times-2"] is Verdict.FAIL
    assert report.document["options"]["cases"] == ["(in memory)"]


SCRIPT = """
import harness
report = harness.certify(__file__)
print(report.text())
"""


def test_a_script_that_certifies_itself_without_a_guard_ends(tmp_path):
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT))
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(HOME)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "Put it under if __name__ == '__main__', or into another file" in done.stdout
