"""List the modules, plugins and cases that worker processes described, with their node ids.

The controller makes the plan once; workers of pytest-xdist get it as plain data, so that all agree.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from harness.contract.api_level import DEFAULT
from harness.contract.codec import Record
from harness.contract.expected_failures import ExpectedFailure
from harness.contract.finding import Violation
from harness.contract.interface import Interface
from harness.contract.rule import Severity
from harness.contract.verdict import Answer, Result, Verdict, decide
from harness.contract.wording import encoded
from harness.results.module_rules import CASE, IMPORT, MODULE_RULES

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue

#: The first part of our node ids.
ROOT = "conformance"
#: How an import fails for want of a package.
_MISSING = re.compile(r"raised ModuleNotFoundError: No module named '([\w.]+)'")


@dataclasses.dataclass(frozen=True)
class CasePlan(Record):
    """One case of a plugin.

    Attributes:
        name: Its name in node ids.
        inferred: Whether the harness probed for it.
        paste: An inferred case as text to paste.
        unknown: Why an inferred case is incomplete; empty for a whole one.
        expected_failures: Known failures by rule id.
        plain: An inferred case as plain data, which requests must carry.
        spec: Its API level.
        facts: What examples of fuzz rules are drawn from, as ``fuzz.facts`` returns it.
    """

    name: str
    inferred: bool = False
    paste: str = ""
    unknown: str = ""
    expected_failures: Mapping[str, ExpectedFailure] = dataclasses.field(default_factory=dict)
    plain: dict[str, Any] | None = None
    spec: str = DEFAULT
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)


class PluginPlan(msgspec.Struct, frozen=True):
    """One plugin of a module.

    Attributes:
        key: ``namespace/name/version``, percent-encoded.
        label: Its part of node ids: the key, and where two modules share the key, which module is meant.
        module: The name of its module.
        interface: The plugin interface.
        creator: The name of the creator's class.
        file: Where that class is written; empty if Python does not know.
        line: The line there.
        cases: Its cases.
        methods: Where its callbacks are written, ``{"file", "line"}`` by name; callbacks with one definition alone.
    """

    key: str
    label: str
    module: str
    interface: Interface
    creator: str
    file: str
    line: int
    cases: tuple[CasePlan, ...]
    methods: Mapping[str, dict[str, Any]] = msgspec.field(default_factory=dict)

    @classmethod
    def from_plain(cls, data: dict[str, Any], module: str, label: str) -> PluginPlan:
        """The plugin that a child described."""
        return cls(
            key=data["key"],
            label=label,
            module=module,
            interface=Interface(data["interface"]),
            creator=data["class"],
            file=data["file"],
            line=data["line"],
            cases=tuple(CasePlan.from_plain(case) for case in data["cases"]),
            methods=data.get("methods", {}),
        )

    def case(self, name: str) -> CasePlan:
        """Return the case with this name."""
        return next(case for case in self.cases if case.name == name)


class ModulePlan(msgspec.Struct, frozen=True):
    """One module that the user named.

    Attributes:
        given: The module as the user named it.
        name: Its name in Python, or ``given`` where it could not be imported.
        plugins: What it holds.
        failure: What is wrong with the module itself.
        file: Where it is written; empty if its name leads to no file.
        written: Its files, as ``loaded_files.written`` returns them.
        left_out: The keys of its plugins that ``--plugin-include`` and ``--plugin-exclude`` leave out.
        skipped: Its creator classes that are not judged, each ``{"name", "file", "line", "why"}``.
    """

    given: str
    name: str
    plugins: tuple[PluginPlan, ...] = ()
    failure: Result | None = None
    file: str = ""
    written: Mapping[str, Any] = msgspec.field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    skipped: tuple[Mapping[str, Any], ...] = ()


class ItemId(msgspec.Struct, frozen=True, dict=True):
    """The identity of an item: a rule on a case, or a module itself (then ``case`` is empty)."""

    label: str
    case: str
    rule: str

    @functools.cached_property
    def nodeid(self) -> str:
        """The node id, as it is printed and can be typed."""
        return "::".join(part for part in (ROOT, self.label, self.case, self.rule) if part)

    @property
    def key(self) -> str:
        """The key of the plugin, from the label."""
        return self.label.partition("+")[0]

    @property
    def case_nodeid(self) -> str:
        """The node id of the case, without the rule."""
        return ItemId(self.label, self.case, "").nodeid


class RunPlan(msgspec.Struct, frozen=True):
    """All that a run could judge."""

    modules: tuple[ModulePlan, ...]

    @classmethod
    def from_plain(cls, data: Sequence[dict[str, Any]]) -> RunPlan:
        """The plan that :class:`Described` modules add up to, as plain data."""
        modules = [Described.from_plain(module) for module in data]
        keys = collections.Counter(plugin["key"] for module in modules for plugin in module.plugins)
        names = collections.Counter(module.name for module in modules)
        return cls(tuple(module.plan(keys, names) for module in modules))

    @property
    def plugins(self) -> Iterator[tuple[ModulePlan, PluginPlan]]:
        """Every plugin, with its module."""
        return ((module, plugin) for module in self.modules for plugin in module.plugins)

    @property
    def keys(self) -> Iterator[str]:
        """The key of every plugin that the modules hold, those included that the user left out."""
        for module in self.modules:
            yield from (plugin.key for plugin in module.plugins)
            yield from module.left_out

    def items(self, catalogue: Catalogue) -> Iterator[tuple[ModulePlan, PluginPlan | None, ItemId]]:
        """Everything that can be judged, in the order of collection, with its module and its plugin, if it has one."""
        for module in self.modules:
            if module.failure is not None:
                yield module, None, module_place(module)
            for plugin in module.plugins:
                for case in plugin.cases:
                    yield from ((module, plugin, place) for place in self.places_on(plugin, case, catalogue))

    def places(self, catalogue: Catalogue) -> Iterator[ItemId]:
        """The same, each by its node id alone."""
        return (place for _, _, place in self.items(catalogue))

    def places_on(self, plugin: PluginPlan, case: CasePlan, catalogue: Catalogue) -> Iterator[ItemId]:
        """Each rule that concerns a plugin, on one of its cases."""
        for rule in catalogue.concerning(plugin.interface):
            yield ItemId(plugin.label, case.name, rule.id)


@dataclasses.dataclass(frozen=True)
class Described(Record):
    """A module as its child described it, in plain data: what travels to workers."""

    given: str
    name: str
    plugins: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    failure: dict[str, Any] | None = None
    file: str = ""
    written: dict[str, Any] = dataclasses.field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    skipped: tuple[dict[str, Any], ...] = ()

    def plan(self, keys: Mapping[str, int], names: Mapping[str, int]) -> ModulePlan:
        """Return what a run is about of it, given how often each plugin key and each module name occurs."""
        place = encoded(self.name if names[self.name] == 1 else self.given)
        labels = {plugin["key"]: f"{plugin['key']}+{place}" for plugin in self.plugins if keys[plugin["key"]] > 1}
        plugins = sorted(self.plugins, key=lambda plugin: str(plugin["key"]))
        return ModulePlan(
            given=self.given,
            name=self.name,
            plugins=tuple(
                PluginPlan.from_plain(each, self.name, labels.get(each["key"], each["key"])) for each in plugins
            ),
            failure=Result.from_plain(self.failure) if self.failure else None,
            file=self.file,
            written=self.written,
            left_out=self.left_out,
            skipped=self.skipped,
        )


def module_place(module: ModulePlan) -> ItemId:
    """Return the place of a module's own failure."""
    return ItemId(encoded(module.name), "", module.failure.rule if module.failure else IMPORT)


def failed_import(answer: Answer) -> Result:
    """Return the verdict on a module that could not be imported."""
    result = decide(MODULE_RULES[IMPORT], answer)
    missing = _MISSING.fullmatch(answer.mishap.how) if answer.mishap is not None else None
    if missing is None:
        return result
    package = missing[1]
    fix = f"Install {package}, or take a stand-in for it with --plugin-stub={package} if the plugins do not call it."
    return dataclasses.replace(result, violations=tuple(dataclasses.replace(v, fix=fix) for v in result.violations))


def failed_discovery(answer: Answer) -> Result:
    """Return the verdict on a module in which the search for plugins and their cases did not end."""
    return decide(MODULE_RULES[CASE], answer)


def failed_module(module: str, problems: Sequence[Mapping[str, str]]) -> Result:
    """Return the verdict on a module that holds something which could not be certified at all.

    Each problem names the rule that it breaks; the first counts.
    """
    violations = tuple(
        Violation(
            what=problem["text"],
            where=module,
            expected=problem["expected"],
            observed=problem["text"],
            fix=problem["fix"],
        )
        for problem in problems
    )
    stack = next((problem["stack"] for problem in problems if problem.get("stack")), "")
    rule = problems[0]["rule"]
    return Result(rule, Severity.ERROR, Verdict.FAIL, len(violations), violations, len(violations), stack=stack)
