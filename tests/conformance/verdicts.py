"""All verdicts of a module of ours, as a user would get them, without pytest around them."""

from __future__ import annotations

import contextlib
import dataclasses

from harness import catalogue, devices
from harness.exchange import ChildSettings
from harness.isolation import ProcessIsolation
from harness.plan import PluginPlan
from harness.runner import Runner
from harness.verdict import Verdict

#: What a witness must declare, and a sound plugin must not get.
BROKEN = {Verdict.FAIL, Verdict.WARN, Verdict.XPASS}

#: How the message of a failed callback begins, and words of which one tells what comes of it.
HOW_CALLBACKS_FAIL = ("raised", "returned", "is not overridden")
CONSEQUENCES = ("TensorRT", "the bindings", "the execution fails", "all contexts")


def isolation_of(module, seed, device):
    """Return who answers: a child on the host device, or one on the GPU with one on the host beside it."""
    settings = ChildSettings(module=module, path=(".",), seed=seed)
    on_host = ProcessIsolation(settings)
    if device == devices.HOST:
        return on_host
    return devices.Shared(ProcessIsolation(dataclasses.replace(settings, device=device)), on_host)


def results_of(module, *, seed=0, rules=None, reverse=False, device=devices.HOST):
    """Return ``{(plugin, case): [Result, ...]}`` of every rule that concerns the plugin's interface."""
    known = catalogue.load()
    wanted = sorted(known.rules if rules is None else rules, reverse=reverse)
    with contextlib.closing(isolation_of(module, seed, device)) as child:
        loaded = child.load()
        assert loaded.ok, loaded.answer
        found = child.discover()
        assert not found["problems"], found["problems"]
        plans = {data["key"]: PluginPlan.from_plain(data, module, data["key"]) for data in found["plugins"]}
        runner = Runner(known, child, (seed,), plans)
        return {
            (key, case.name): [
                runner.result(key, case.name, rule_id)
                for rule_id in wanted
                if plan.interface in known[rule_id].interfaces
            ]
            for key, plan in plans.items()
            for case in plan.cases
        }


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
