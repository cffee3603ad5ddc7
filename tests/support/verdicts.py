"""All verdicts of a module of ours, as a user would get them, without pytest around them."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os

from harness.checks.observation.in_a_fork import apart
from harness.child import loaded_module
from harness.contract import catalogue
from harness.contract.api_level import DEFAULT
from harness.contract.catalogue import Catalogue
from harness.contract.extra_tools import Builder
from harness.contract.verdict import BAD, Answer, Result, Verdict
from harness.controller.children import device_routing
from harness.controller.children.in_process import InProcess
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings
from harness.results.run_plan import PluginPlan
from tests.support.forked_processes import PROCESSES

#: What a witness must declare, and a sound plugin must not get.
BROKEN = {*BAD, Verdict.XPASS}

#: How the message of a failed callback begins, and words of which one tells what comes of it.
HOW_CALLBACKS_FAIL = ("raised", "returned", "is not overridden")
CONSEQUENCES = ("TensorRT", "the bindings", "the execution fails", "all contexts")


def installed(builder=""):
    """Return the catalogue of the installed rules; templates have it before they fork.

    Those that ask NVIDIA's builder are among them if there is one.
    """
    return _loaded(bool(builder))


@functools.cache
def _loaded(with_nvidia):
    return catalogue.load([Builder.NVIDIA] if with_nvidia else [])


def isolation_of(settings, device):
    """Return who answers: a child on the host device, or one on the GPU with one on the host beside it."""
    on_host = ProcessIsolation(settings)
    if device == device_routing.HOST:
        return on_host
    return device_routing.GpuWithHostFallback(ProcessIsolation(dataclasses.replace(settings, device=device)), on_host)


def results_of(  # noqa: PLR0913 - each is a setting of a run
    module,
    *,
    seed=0,
    rules=None,
    reverse=False,
    device=device_routing.HOST,
    spec=DEFAULT,
    addresses="opaque",
    builder="",
):
    """Return ``{(plugin, case): [Result, ...]}`` of every rule that concerns the plugin's interface."""
    known = installed(builder)
    wanted = sorted(known.rules if rules is None else rules, reverse=reverse)
    with contextlib.ExitStack() as ends:
        settings = ChildSettings(module=module, path=(".",), seed=seed, addresses=addresses, builder=builder)
        children = _Children(settings, device, ends)
        found = children.at(spec).discover()
        assert not found["problems"], found["problems"]
        plans = {data["key"]: PluginPlan.from_plain(data, module, data["key"]) for data in found["plugins"]}
        specs = {case.spec for plan in plans.values() for case in plan.cases}
        runners = {spec: Runner(known, children.at(spec), (seed,), plans) for spec in specs}
        return {
            (key, case.name): [
                runners[case.spec].result(key, case.name, rule_id)
                for rule_id in wanted
                if concerns(rule_id, plan, builder)
            ]
            for key, plan in plans.items()
            for case in plan.cases
        }


def concerns(rule_id, plan, builder=""):
    """Whether a rule is about the interface of a plugin."""
    return plan.interface in installed(builder)[rule_id].interfaces


class _Children:
    """Processes that have imported a module, one for each API level."""

    def __init__(self, settings, device, ends):
        self._settings = settings
        self._device = device
        self._ends = ends
        self._made = {}

    def at(self, spec):
        if spec not in self._made:
            child = isolation_of(dataclasses.replace(self._settings, spec=spec), self._device)
            self._made[spec] = self._ends.enter_context(contextlib.closing(child))
            loaded = child.load()
            assert loaded.ok, loaded.answer
        return self._made[spec]


def results_in_a_fork(module, rules, *, alone=False, builder=""):
    """Return what `results_of` does, judged in one fork for each API level; None where that fork ends or hangs.

    A new process for each rule costs ten times as much. What one rule leaves behind the next one may meet, so this is
    for the few rules that a witness declares. Nor do fuzz rules look here for a rule that names the defect.

    Args:
        module: The dotted name of the module.
        rules: The ids of the rules.
        alone: Whether to judge each rule in a fork of its own, as if those that it rests on were met.
        builder: The module of NVIDIA's whose builder builds the plugins too.
    """
    found, waiting = {}, [DEFAULT]
    while waiting:
        spec = waiting.pop()
        answer = PROCESSES.call(_results_at, module, sorted(rules), spec, alone, builder)
        if answer is None:
            return None
        found[spec] = {(key, case): [Result.from_plain(each) for each in group] for key, case, group in answer["cases"]}
        waiting += {*answer["specs"]} - {*found} - {*waiting}
    return {case: results for cases in found.values() for case, results in cases.items()}


class _EachApart(InProcess):
    """Answers each question in a fork of this process."""

    def discover(self):
        return apart(super().discover)

    def ask(self, request):
        ask = super().ask
        return Answer.from_plain(apart(lambda: ask(request).to_plain()))


def _results_at(module, rules, spec, alone, builder):
    """Judge a module in this process, at one level, and return plain data."""
    os.environ["PYTHONHASHSEED"] = "0"  # for the interpreters that it starts, as a child has it
    known = installed(builder)
    loaded_module._Process.RULES = known.rules
    child = (_EachApart if alone else InProcess)(ChildSettings(module=module, path=(".",), spec=spec, builder=builder))
    loaded = child.load()
    assert loaded.ok, loaded.answer
    plans = {data["key"]: PluginPlan.from_plain(data, module, data["key"]) for data in child.discover()["plugins"]}
    runner = Runner((resting_on_nothing if alone else of_their_foundations)(known, rules), child, (0,), plans)
    cases = [
        [
            key,
            case.name,
            [runner.result(key, case.name, rule).to_plain() for rule in rules if concerns(rule, plan, builder)],
        ]
        for key, plan in plans.items()
        for case in plan.cases
        if case.spec == spec
    ]
    return {"cases": cases, "specs": sorted({case.spec for plan in plans.values() for case in plan.cases})}


def resting_on_nothing(known, rules):
    """Return the catalogue of some rules, as if they rested on no others."""
    return Catalogue({name: dataclasses.replace(known[name], requires=frozenset()) for name in rules})


def of_their_foundations(known, rules):
    """Return the catalogue of some rules and of those that they rest on."""
    wanted = {*rules}.union(*map(known.foundations, rules))
    return Catalogue({name: rule for name, rule in known.rules.items() if name in wanted})


def broken_rules(results):
    """Return the ids of the rules that any case breaks."""
    return {each.rule for case in results.values() for each in case if each.verdict in BROKEN}


def left_unexplained(results, rule):
    """Return violations of an owner of callbacks that do not say what TensorRT makes of the failed callback."""
    failed = [f"{callback.partition(' ')[0]} {how}" for callback in rule.owns for how in HOW_CALLBACKS_FAIL]
    seen = {
        violation for case in results.values() for each in case if each.rule == rule.id for violation in each.violations
    }
    return [
        violation
        for violation in seen
        if violation.what.startswith(tuple(failed)) and not any(word in violation.observed for word in CONSEQUENCES)
    ]


def in_words(results, rule_ids):
    """Return what was said of some rules, for the message of a failed test."""
    return "\n".join(
        f"{case}: {each.rule} {each.verdict.value}: {[v.what + ' | ' + v.observed for v in each.violations[:1]]}"
        for case, group in results.items()
        for each in group
        if each.rule in rule_ids and each.verdict in BROKEN
    )
