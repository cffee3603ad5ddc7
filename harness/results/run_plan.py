"""List the modules, plugins and cases that children described, with their node ids.

The controller has them described once. Workers of pytest-xdist get the descriptions as plain data, so that all have the
same plan.
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

#: The first part of the node ids of conformance items.
ROOT = "conformance"
#: The failure of an import that needs a missing package.
_MISSING = re.compile(r"raised ModuleNotFoundError: No module named '([\w.]+)'")


@dataclasses.dataclass(frozen=True)
class CasePlan(Record):
    """One case of a plugin.

    Attributes:
        name: Its name in node ids.
        inferred: Whether the harness inferred the case.
        paste: An inferred case as Python code to paste.
        unknown: Why an inferred case is incomplete; empty for a complete case.
        expected_failures: Known failures by rule id.
        plain: An inferred case as plain data, which requests must carry; None for a written case.
        spec: Its API level.
        facts: The facts from which fuzz rules generate examples: :class:`harness.cases.facts.Facts` as plain data.
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
        label: Its part of node ids: the key. If two modules have a plugin of this key, ``+`` and the module follow.
        module: The name of its module.
        interface: The plugin interface.
        creator: The name of the creator's class.
        file: The file that defines this class; empty if unknown.
        line: The line of this definition; 0 if unknown.
        cases: Its cases.
        methods: Where its callbacks are defined, ``{"file", "line"}`` by name; only callbacks with one definition.
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
        """Return the plugin from a child's description."""
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
        name: Its name in Python, or ``given`` if it could not be imported.
        plugins: Its plugins.
        failure: The failure of the module as a whole; None if there is none.
        file: The path of its file; empty if its name leads to no file.
        written: Its files, as ``loaded_files.written`` returns them.
        left_out: The keys of its plugins that ``--plugin-include`` and ``--plugin-exclude`` leave out.
        skipped: Its creator classes, and plugins of its program, that are not judged, each ``{"name", "file", "line",
            "why"}``. The line is 0 if the reason has none.
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
        """Return the node id, as pytest prints it and takes it as an argument."""
        return "::".join(part for part in (ROOT, self.label, self.case, self.rule) if part)

    @property
    def key(self) -> str:
        """Return the key of the plugin, from the label."""
        return self.label.partition("+")[0]

    @property
    def case_nodeid(self) -> str:
        """Return the node id of the case, without the rule."""
        return ItemId(self.label, self.case, "").nodeid


class RunPlan(msgspec.Struct, frozen=True):
    """All modules of a run, with everything that the run could judge."""

    modules: tuple[ModulePlan, ...]

    @classmethod
    def from_plain(cls, data: Sequence[dict[str, Any]]) -> RunPlan:
        """Return the plan for :class:`Described` modules, which are given as plain data."""
        modules = [Described.from_plain(module) for module in data]
        keys = collections.Counter(plugin["key"] for module in modules for plugin in module.plugins)
        names = collections.Counter(module.name for module in modules)
        return cls(tuple(module.plan(keys, names) for module in modules))

    @property
    def plugins(self) -> Iterator[tuple[ModulePlan, PluginPlan]]:
        """Return every plugin, with its module."""
        return ((module, plugin) for module in self.modules for plugin in module.plugins)

    @property
    def keys(self) -> Iterator[str]:
        """Yield the key of every plugin of the modules, including plugins that the user left out."""
        for module in self.modules:
            yield from (plugin.key for plugin in module.plugins)
            yield from module.left_out

    def items(self, catalogue: Catalogue) -> Iterator[tuple[ModulePlan, PluginPlan | None, ItemId]]:
        """Yield every item in the order of collection, with its module and its plugin (None for a module itself)."""
        for module in self.modules:
            if module.failure is not None:
                yield module, None, module_place(module)
            for plugin in module.plugins:
                for case in plugin.cases:
                    yield from ((module, plugin, place) for place in self.places_on(plugin, case, catalogue))

    def places(self, catalogue: Catalogue) -> Iterator[ItemId]:
        """Return every item in the order of collection."""
        return (place for _, _, place in self.items(catalogue))

    def places_on(self, plugin: PluginPlan, case: CasePlan, catalogue: Catalogue) -> Iterator[ItemId]:
        """Yield the item of each rule that concerns a plugin, on one of its cases."""
        for rule in catalogue.concerning(plugin.interface):
            yield ItemId(plugin.label, case.name, rule.id)


@dataclasses.dataclass(frozen=True)
class Described(Record):
    """A module as its child described it, as plain data that workers get; the fields are those of the plan."""

    given: str
    name: str
    plugins: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    failure: dict[str, Any] | None = None
    file: str = ""
    written: dict[str, Any] = dataclasses.field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    skipped: tuple[dict[str, Any], ...] = ()

    def plan(self, keys: Mapping[str, int], names: Mapping[str, int]) -> ModulePlan:
        """Return the module's plan, given how often each plugin key and each module name occurs in the run."""
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
    """Return the item that reports a module's own failure."""
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
    """Return the verdict on a module with problems that do not belong to one of its plugins.

    Each problem names the rule that it breaks; the verdict is that of the first problem's rule.
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
