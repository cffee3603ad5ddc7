"""How often the plugins of a module of ours are called for a certificate: judged in this process, to count."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

from harness.child.observers import CallbackRecorder
from harness.contract import catalogue
from harness.contract.thoroughness import Thoroughness
from harness.controller.children.in_process import InProcess
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings
from harness.results.run_plan import PluginPlan
from reference_runtime import Builder

if TYPE_CHECKING:
    from collections.abc import Callable

BUILDS = "builds"


def by_rule(module: str) -> dict[str, dict[str, Any]]:
    """Judge all cases at level 5, rule after rule, and return calls, verdicts and examples of each rule.

    To be called in a process of its own: its methods count ever after.
    """
    level, known = Thoroughness.DEFAULT, catalogue.load()
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    found: dict[str, dict[str, Any]] = {}
    with contextlib.closing(_Named(InProcess(ChildSettings(module, path=(".",))))) as child:
        plans = {each["key"]: PluginPlan.from_plain(each, module, each["key"]) for each in child.plugins()}
        _watch(CallbackRecorder, "before", lambda _, event: counts[child.rule].update([event.method]))
        _watch(Builder, "build_serialized_network", lambda *_: counts[child.rule].update([BUILDS]))
        runner = Runner(known, child, level.seeds, plans, level)
        for key, plan in plans.items():
            for case in plan.cases:
                for rule in known.concerning(plan.interface):
                    if rule.level <= level.number:
                        result = runner.result(key, case.name, rule.id)
                        of_rule = found.setdefault(rule.id, {"verdicts": [], "judged": 0, "drawn": bool(rule.strategy)})
                        of_rule["verdicts"].append(result.verdict.value)
                        of_rule["judged"] += result.drawn.judged if result.drawn else 0
    return {rule: {"calls": counts[rule], **found.get(rule, {})} for rule in {*counts, *found}}


@dataclasses.dataclass
class _Named:
    """Passes requests on, and knows which rule they are about; none for the first drive of a case."""

    child: InProcess
    rule: str = ""

    def plugins(self) -> list[dict[str, Any]]:
        loaded = self.child.load()
        assert loaded.ok, loaded
        return list(self.child.discover()["plugins"])

    def ask(self, request: Any) -> Any:
        self.rule = request.rule
        return self.child.ask(request)

    def close(self) -> None:
        self.child.close()


def _watch(owner: Any, name: str, note: Callable[..., None]) -> None:
    """Let every call of a method be noted from now on."""
    method = getattr(owner, name)

    def call(*arguments: Any) -> Any:
        note(*arguments)
        return method(*arguments)

    setattr(owner, name, call)
