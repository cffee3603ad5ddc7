"""How often a plugin is called when it is certified: each question is put once, and its answer shared by the rules."""

import collections

from harness.child.observers import CallbackRecorder
from harness.contract import catalogue
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Verdict
from harness.controller.children.in_process import InProcess
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings
from harness.results.run_plan import PluginPlan
from reference_runtime import Builder
from tests.support.forked_processes import PROCESSES

MODULE = "plugin_examples.bar"
#: What the rules that draw no examples may take in both cases of the module at level 5, with the usual seeds.
CALLBACKS, BUILDS, ENQUEUES = 10_500, 12, 850


def test_what_a_certification_costs_the_plugin_stays_within_bounds():
    spent = PROCESSES.call(spent_on, MODULE)
    assert spent["verdicts"] == sorted({Verdict.PASS.value, Verdict.NOT_APPLICABLE.value})
    assert 0 < spent["builds"] <= BUILDS
    assert 0 < spent["enqueues"] <= ENQUEUES
    assert 0 < spent["callbacks"] <= CALLBACKS


def spent_on(module):
    """Judge a module by the stated rules in this process, which ends with it, and return the counts."""
    child, known, level = InProcess(ChildSettings(module=module, path=(".",))), catalogue.load(), Thoroughness("5")
    assert child.load().ok
    plans = {data["key"]: PluginPlan.from_plain(data, module, data["key"]) for data in child.discover()["plugins"]}
    spent = collections.Counter()
    watch(CallbackRecorder, "before", lambda _, event: spent.update([event.method]))  # the event holds the plugin
    watch(Builder, "build_serialized_network", lambda *_: spent.update(["a build"]))
    runner = Runner(known, child, level.seeds, plans, level)
    stated = [rule for rule in known.up_to(level) if known[rule].strategy is None]
    verdicts = {
        runner.result(key, case.name, rule).verdict.value
        for key, plan in plans.items()
        for case in plan.cases
        for rule in stated
        if plan.interface in known[rule].interfaces
    }
    builds = spent.pop("a build", 0)
    return {
        "verdicts": sorted(verdicts),
        "callbacks": spent.total(),
        "enqueues": spent["enqueue"],
        "builds": builds,
    }


def watch(owner, name, note):
    """Let every call of a method be noted from now on."""
    method = getattr(owner, name)

    def call(*arguments):
        note(*arguments)
        return method(*arguments)

    setattr(owner, name, call)
