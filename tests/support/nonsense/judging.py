"""What all rules make of a plugin that is right but for one callback, which returns nonsense.

Theory. A process imports the plugin and everything that judges it once, and forks itself for each kind of nonsense. In
the fork one method of the class is another one, and all rules are judged there, in this one process: a rule that fails
by itself does so there as anywhere. A fork that dies or does not end is told as such; in a run, it is the callback's.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import pathlib
import resource
import sys
from typing import TYPE_CHECKING, Any

from harness.contract import catalogue
from harness.contract.api_level import DEFAULT
from harness.contract.verdict import InternalError
from harness.controller.children.in_process import InProcess
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.search import Fuzzing
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings
from harness.results.run_plan import PluginPlan
from tests.support.nonsense.kinds import KINDS, Call
from tests.support.verdicts import BROKEN

if TYPE_CHECKING:
    from collections.abc import Callable

#: Seconds of CPU time and bytes that one fork may take: only what never ends reaches them.
SECONDS, MEMORY = 1800, 8 << 30
#: Examples of each fuzz rule.
EXAMPLES = 2
#: What a callback does that a class need not have.
_SOUND: dict[str, Callable[[Any], Any]] = {"get_serialization_size": lambda plugin: len(plugin.serialize())}


def told_of(module: str, owner: str, method: str, kinds: list[str], rules: list[str] | None = None) -> dict[str, Any]:
    """Return what is told of each kind: ``{kind: {"internal": [...], "broken": {rule: [what, where]}, "died": ...}}``.

    ``owner`` is the class in the module.
    """

    def of_each() -> dict[str, Any]:
        child = InProcess(ChildSettings(module=module, path=(".",)))
        loaded = child.load()
        if not loaded.ok:
            return {"died": str(loaded.answer)}
        cls = getattr(sys.modules[module], owner)
        gc.collect()
        gc.freeze()  # as in a child: rules that collect garbage need not look at all that is loaded

        def of(kind: str) -> dict[str, Any]:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            plant(cls, method, kind)
            return _judged(child, module, rules)

        return {kind: _in_fork(functools.partial(of, kind)) for kind in kinds}

    found = _in_fork(of_each)
    return dict.fromkeys(kinds, found) if "died" in found else found


def _in_fork(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a function returns in a fork, or how the fork ended."""
    readable, writable = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(readable)
        with pathlib.Path(os.devnull).open("r+b", buffering=0) as nothing:
            for descriptor in range(3):
                os.dup2(nothing.fileno(), descriptor)
        found = {"died": "the fork failed"}
        try:
            found = work()
        finally:
            with os.fdopen(writable, "w") as file:
                json.dump(found, file)
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as file:
        text = file.read()
    _, status = os.waitpid(pid, 0)
    return dict(json.loads(text)) if text else {"died": os.waitstatus_to_exitcode(status)}


def plant(cls: type, method: str, kind: str) -> None:
    """Have one method of a class, or an attribute that is assigned in its constructor, be nonsense."""
    right, answer, calls = getattr(cls, method, _SOUND.get(method)), KINDS[kind], [0]

    def nonsense(self: Any, *arguments: Any) -> Any:
        calls[0] += 1
        return answer(Call(sys.modules["tensorrt"], self, arguments, lambda: right(self, *arguments), calls[0]))

    setattr(cls, method, nonsense)


def _judged(child: InProcess, module: str, rules: list[str] | None) -> dict[str, Any]:
    known = catalogue.load()
    answer = child.discover()
    plans = {data["key"]: PluginPlan.from_plain(data, module, data["key"]) for data in answer["plugins"]}
    runner = Runner(known, child, (0,), plans, fuzzing=Fuzzing(Budget(EXAMPLES, shrinks=False)))
    told: dict[str, Any] = {"internal": [], "broken": {}, "problems": list(map(str, answer["problems"]))}
    for key, plan in plans.items():
        for case in [each for each in plan.cases if each.spec == DEFAULT][:1]:
            for rule in sorted(known.rules if rules is None else rules):
                if plan.interface in known[rule].interfaces:
                    _judge(runner, key, case.name, rule, told)
    return told


def _judge(runner: Runner, key: str, case: str, rule: str, told: dict[str, Any]) -> None:
    try:
        result = runner.result(key, case, rule)
    except InternalError as error:
        told["internal"].append(str(error))
        return
    except BaseException as error:  # noqa: BLE001 - whatever a plugin raises must not get so far
        told["internal"].append(f"rule {rule} was ended by {type(error).__name__}")
        return
    if result.verdict in BROKEN:
        told["broken"][rule] = [f"{v.what} | {v.where} | {v.observed}" for v in result.violations[:1]]


#: The classes whose methods return nonsense, and the callbacks of each.
SUBJECTS = (
    (
        "plugin_examples.bar",
        "BarPlugin",
        (
            "get_output_datatype get_output_dimensions supports_format_combination configure_plugin get_workspace_size "
            "initialize enqueue terminate destroy serialize get_serialization_size clone"
        ),
    ),
    ("plugin_examples.bar", "BarCreator", "create_plugin deserialize_plugin"),
    (
        "plugin_examples.bar_v3",
        "BarPlugin",
        (
            "get_capability_interface get_output_data_types get_output_shapes supports_format_combination "
            "configure_plugin get_valid_tactics get_workspace_size set_tactic on_shape_change attach_to_context "
            "enqueue get_fields_to_serialize clone destroy"
        ),
    ),
    ("plugin_examples.bar_v3", "BarCreator", "create_plugin"),
    (
        "plugin_examples.near_misses.aliasing.positives_counted_in_place",
        "KeptPositives",
        "get_aliased_input",  # the others are those of bar_v3
    ),
    (
        "plugin_examples.implicit_batch.pool",
        "PoolPlugin",
        (
            "get_output_data_type get_output_shape supports_format_combination configure_plugin get_workspace_size "
            "initialize execute_async terminate destroy serialize clone"
        ),
    ),
    ("plugin_examples.implicit_batch.pool", "PoolCreator", "create_plugin deserialize_plugin"),
)


def callbacks() -> list[tuple[str, str, str]]:
    """Return every callback that returns nonsense: module, class and method."""
    return [(module, owner, method) for module, owner, methods in SUBJECTS for method in methods.split()]
