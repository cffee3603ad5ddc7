"""Plugins that crash, abort, exit or hang in a callback: a verdict of the rule that owns it, and the run goes on."""

import contextlib
import sys
import textwrap

import pytest

from harness.contract import catalogue
from harness.contract.interface import Interface
from harness.contract.verdict import Verdict
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings
from harness.results.run_plan import PluginPlan

pytestmark = [pytest.mark.nightly, pytest.mark.real_processes]

CATALOGUE = catalogue.load()
#: Callbacks that crash in every run; the others do in the nightly run.
USUAL = ("clone", "configure_plugin", "deserialize_plugin", "get_output_dimensions")
PLUGIN_METHODS = (
    "get_output_datatype",
    "get_output_dimensions",
    "supports_format_combination",
    "configure_plugin",
    "get_workspace_size",
    "initialize",
    "enqueue",
    "terminate",
    "serialize",
    "clone",
    "destroy",
)
CREATOR_METHODS = ("create_plugin", "deserialize_plugin")
DEEDS = {
    "died by SIGSEGV": "ctypes.string_at(1)",
    "died by SIGABRT": "os.abort()",
    "exit status 0": "os._exit(0)",
    "did not return within": "time.sleep(3600)",
    "raised SystemExit": "sys.exit(3)",
}
SOURCE = """
    import ctypes, os, sys, time

    from plugin_examples.faulty.bases.sound_scale import SCALE_CASES as PLUGIN_CASES, Scale, ScaleCreator, publish

    def evil(*arguments):
        {deed}

    class HostileScale(Scale):
        pass

    class HostileCreator(ScaleCreator):
        pass

    {owner}.{method} = evil
    publish(HostileScale, HostileCreator)
"""


def verdicts(folder, *, method, deed):
    owner = "HostileCreator" if method in CREATOR_METHODS else "HostileScale"
    name = f"hostile_{method}_{abs(hash(deed))}"
    (folder / f"{name}.py").write_text(textwrap.dedent(SOURCE).format(deed=deed, owner=owner, method=method))
    settings = ChildSettings(module=name, path=(str(folder), *sys.path), timeout=5.0)
    with contextlib.closing(ProcessIsolation(settings)) as child:
        assert child.load().ok
        (data,) = child.discover()["plugins"]
        runner = Runner(CATALOGUE, child, (0,), {data["key"]: PluginPlan.from_plain(data, name, data["key"])})
        return {rule_id: runner.result(data["key"], "dynamic", rule_id) for rule_id in CATALOGUE.rules}


def owner_of(method):
    return CATALOGUE.owner(method, Interface.V2_DYNAMIC).id


def check(results, method, how):
    owner = owner_of(method)
    told = [f"{violation.what} {violation.observed}" for violation in results[owner].violations]
    assert results[owner].verdict is Verdict.FAIL
    assert any(how in text for text in told), told
    blocked = {each.rule for each in results.values() if each.verdict is Verdict.BLOCKED}
    assert blocked
    assert all(results[rule_id].blocked_by for rule_id in blocked)
    assert any(each.verdict is Verdict.PASS for each in results.values())


@pytest.mark.parametrize(("how", "deed"), DEEDS.items())
def test_whatever_enqueue_does_is_a_verdict_of_its_owner(tmp_path, how, deed):
    check(verdicts(tmp_path, method="enqueue", deed=deed), "enqueue", how)


@pytest.mark.parametrize(
    "method",
    [
        method if method in USUAL else pytest.param(method, marks=pytest.mark.nightly)
        for method in (*PLUGIN_METHODS, *CREATOR_METHODS)
    ],
)
def test_a_crash_in_any_callback_is_a_verdict_of_its_owner(tmp_path, method):
    check(verdicts(tmp_path, method=method, deed="ctypes.string_at(1)"), method, "died by SIGSEGV")


def test_a_hang_costs_its_deadline_once(tmp_path):
    results = verdicts(tmp_path, method="configure_plugin", deed="time.sleep(3600)")
    check(results, "configure_plugin", "did not return within")
    met = [each.rule for each in results.values() if each.mishap and "did not return" in each.mishap.how]
    assert met == [owner_of("configure_plugin")]
