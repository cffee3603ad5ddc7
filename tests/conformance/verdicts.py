"""All verdicts of a module of ours, as a user would get them, without pytest around them."""

from __future__ import annotations

import contextlib

from harness import catalogue
from harness.exchange import ChildSettings
from harness.isolation import ProcessIsolation
from harness.plan import PluginPlan
from harness.runner import Runner
from harness.verdict import Verdict

#: What a witness must declare, and a sound plugin must not get.
BROKEN = {Verdict.FAIL, Verdict.WARN, Verdict.XPASS}


def results_of(module, *, seed=0, rules=None, reverse=False):
    """Return ``{(plugin, case): [Result, ...]}`` of every rule."""
    known = catalogue.load()
    wanted = sorted(known.rules if rules is None else rules, reverse=reverse)
    with contextlib.closing(ProcessIsolation(ChildSettings(module=module, path=(".",), seed=seed))) as child:
        loaded = child.load()
        assert loaded.ok, loaded.answer
        found = child.discover()
        assert not found["problems"], found["problems"]
        plans = {data["key"]: PluginPlan.from_plain(data, module, data["key"]) for data in found["plugins"]}
        runner = Runner(known, child, seed, plans)
        return {
            (key, case.name): [runner.result(key, case.name, rule_id) for rule_id in wanted]
            for key, plan in plans.items()
            for case in plan.cases
        }


def broken_rules(results):
    """Return the ids of the rules that any case breaks."""
    return {each.rule for case in results.values() for each in case if each.verdict in BROKEN}


def in_words(results, rule_ids):
    """Return what was said of some rules, for the message of a failed test."""
    return "\n".join(
        f"{case}: {each.rule} {each.verdict.value}: {[v.what + ' | ' + v.observed for v in each.violations[:1]]}"
        for case, group in results.items()
        for each in group
        if each.rule in rule_ids and each.verdict in BROKEN
    )
