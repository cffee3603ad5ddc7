"""What fuzz rules cost on a module of ours, in calls: judged in this process, where they can be counted."""

from __future__ import annotations

import collections
import contextlib
import sys
from typing import TYPE_CHECKING, Any

from harness.child import observers
from harness.contract import catalogue
from harness.controller.children.in_process import InProcess
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.search import Fuzzing, search
from harness.protocol.messages import ChildSettings, Request
from tests.support.fuzzed import fuzz_rules

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Event


def fuzzed(module: str) -> dict[str, int]:
    """Search all fuzz rules on all cases once, and return how much of each thing was done."""
    counts: collections.Counter[str] = collections.Counter()
    rules = catalogue.load_rules()
    with contextlib.closing(InProcess(ChildSettings(module, path=(".",)))) as child:
        child.load()
        plugins = child.discover()["plugins"]
        _count(counts)
        for plugin in plugins:
            for case in plugin["cases"]:
                for rule in fuzz_rules():
                    request = Request(rule, plugin["key"], case["name"], inferred=case["plain"])
                    found = search(rules[rule], request, case["facts"], child.ask, Fuzzing(Budget()))
                    counts.update(judged=found.judged, failures=found.answer.fails)
    return dict(counts)


def _count(counts: collections.Counter[str]) -> None:
    """Count callbacks, and builds among what the builder does."""
    builder = sys.modules["tensorrt"].Builder
    write, build = observers.CallbackRecorder.before, builder.build_serialized_network

    def before(self: Any, event: Event) -> None:
        counts.update(callbacks=1, enqueues=event.method == "enqueue")
        write(self, event)

    def built(*arguments: Any) -> Any:
        counts.update(builds=1)
        return build(*arguments)

    recorder: Any = observers.CallbackRecorder
    recorder.before = before
    builder.build_serialized_network = built
