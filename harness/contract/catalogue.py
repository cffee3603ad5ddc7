"""Find the installed rules by entry point, check them against each other, and look them up."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import pkgutil
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from harness.contract.api_level import DEFAULT
from harness.contract.own_names import own
from harness.contract.rule import Rule, Severity

if TYPE_CHECKING:
    from harness.contract.extra_tools import Builder
    from harness.contract.interface import Interface
    from harness.contract.sanitizer_tool import Tool
    from harness.contract.thoroughness import Thoroughness

#: The group of entry points in which a distribution names its package or module of rules.
GROUP = "trt_conformance.rules"


class CatalogueError(Exception):
    """The installed rules do not fit together; the message says which distribution to fix."""


class Catalogue(msgspec.Struct, frozen=True, dict=True):
    """All installed rules, in the order of their ids."""

    rules: Mapping[str, Rule]

    def __getitem__(self, rule_id: str) -> Rule:
        return self.rules[rule_id]

    @functools.cached_property
    def families(self) -> tuple[str, ...]:
        """Return the families of the rules: the letters before the numbers of their ids."""
        return tuple(dict.fromkeys(rule.family for rule in self.rules.values()))

    def concerning(self, interface: Interface) -> tuple[Rule, ...]:
        """Return the rules that concern plugins of an interface."""
        return tuple(rule for rule in self.rules.values() if interface in rule.interfaces)

    def owner(self, callback: str, interface: Interface) -> Rule | None:
        """Return the rule that reports an unexpected failure of a callback; None if no rule does."""
        return self._owners.get((callback, interface))

    @functools.cached_property
    def _owners(self) -> dict[tuple[str, Interface], Rule]:
        owners: dict[tuple[str, Interface], Rule] = {}
        for rule in self.rules.values():
            for callback in rule.owns:
                for interface in rule.interfaces:
                    owners.setdefault((callback, interface), rule)
        return owners

    def foundations(self, rule_id: str) -> frozenset[str]:
        """Return the ids of the rules that a rule requires, directly or through other rules."""
        required: set[str] = set()
        waiting = [rule_id]
        while waiting:
            for each in self.rules[waiting.pop()].requires - required:
                required.add(each)
                waiting.append(each)
        return frozenset(required)

    def matching(self, words: Iterable[str], spec: str = DEFAULT) -> frozenset[str]:
        """Return the ids of the rules that the words name.

        A word is an id, the beginning of ids with the dash, a family, or a severity. Severities are those at ``spec``.

        Raises:
            UnknownRuleError: A word names no rule, and is no severity.
        """
        severities = [severity.value for severity in Severity]
        ids: set[str] = set()
        for word in words:
            named = {rule_id for rule_id, rule in self.rules.items() if _names(word, rule, spec)}
            if not named and word not in severities:
                raise UnknownRuleError(word, (*self.rules, *self.families, *severities))
            ids |= named
        return frozenset(ids)

    def up_to(self, level: Thoroughness) -> frozenset[str]:
        """Return the ids of the rules that a level judges."""
        return frozenset(rule_id for rule_id, rule in self.rules.items() if rule.level <= level.number)


def _names(word: str, rule: Rule, spec: str) -> bool:
    """Return whether a word names a rule: by family, severity, or the beginning of an id with its dash."""
    begins = "-" in word and rule.id.startswith(word)
    return begins or word in {rule.family, rule.severity_at(spec).value}


class UnknownRuleError(LookupError):
    """A word names no rule, family or severity."""

    def __init__(self, word: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no rule, family or severity {word!r}")
        self.word = word
        self.known = known


def load_rules() -> dict[str, Rule]:
    """Return every installed rule by its id, without the checks of :func:`load`.

    Raises:
        CatalogueError: No rule is installed, an entry point is malformed, or two rules share an id.
    """
    entries = _entry_points()
    if not entries:
        raise CatalogueError(
            f"no installed distribution offers rules (entry-point group {GROUP!r}): "
            "install pytest-trt-conformance again"
        )
    rules: dict[str, Rule] = {}
    for entry in entries:
        values = (value for module in _modules_of(entry) for value in vars(module).values())
        for rule in (value for value in values if isinstance(value, Rule)):
            other = rules.setdefault(rule.id, rule)
            if other is not rule:
                raise CatalogueError(f"rule id {rule.id} is used twice: {_place(other)} and {_place(rule)}")
    return dict(sorted(rules.items()))


def load(tools: Collection[Tool | Builder] = ()) -> Catalogue:
    """Return the installed rules, checked against each other. Rules for tools that are not in ``tools`` are left out.

    Raises:
        CatalogueError: As :func:`load_rules` and :func:`checked`.
    """
    return of_tools(load_rules(), tools)


def of_tools(rules: Mapping[str, Rule], tools: Collection[Tool | Builder] = ()) -> Catalogue:
    """Return a catalogue of rules, checked against each other. Rules for tools that are not in ``tools`` are left out.

    Raises:
        CatalogueError: As :func:`checked`.
    """
    return checked({name: rule for name, rule in rules.items() if rule.tool is None or rule.tool in tools})


def checked(rules: Mapping[str, Rule]) -> Catalogue:
    """Return a catalogue of rules, checked against each other.

    Raises:
        CatalogueError: A rule requires a missing rule, rules require each other, or two rules own the same callback.
    """
    catalogue = Catalogue(rules)
    for rule in rules.values():
        for required in sorted(rule.requires):
            if required not in rules:
                raise CatalogueError(f"rule {_place(rule)} requires {required}, which is not installed")
    for rule in rules.values():
        if rule.id in catalogue.foundations(rule.id):
            raise CatalogueError(f"rule {_place(rule)} requires itself, by way of other rules")
        _check_owner(catalogue, rule)
    return catalogue


def _check_owner(catalogue: Catalogue, rule: Rule) -> None:
    for interface in rule.interfaces:
        for callback in sorted(rule.owns):
            owner = catalogue.owner(callback, interface)
            if owner is not None and owner.id != rule.id:
                raise CatalogueError(
                    f"callback {callback} of {interface.value} has two owners: {_place(owner)} and {_place(rule)}"
                )


def _entry_points() -> list[importlib.metadata.EntryPoint]:
    by_value = {entry.value: entry for entry in importlib.metadata.entry_points(group=GROUP)}
    return [by_value[value] for value in sorted(by_value)]


def _modules_of(entry: importlib.metadata.EntryPoint) -> Iterator[types.ModuleType]:
    here = importlib.metadata.EntryPoint(entry.name, own(entry.value), entry.group)
    root = _imported(entry, here.load)
    if not isinstance(root, types.ModuleType):
        raise CatalogueError(f"{_name(entry)} names a {type(root).__name__}; it must name a package or module of rules")
    yield root
    for module in pkgutil.walk_packages(getattr(root, "__path__", ()), f"{root.__name__}."):
        yield _imported(entry, functools.partial(importlib.import_module, module.name))


def _imported(entry: importlib.metadata.EntryPoint, load_it: Any) -> Any:
    try:
        return load_it()
    except Exception as error:
        raise CatalogueError(f"{_name(entry)} cannot be imported: {type(error).__name__}: {error}") from error


def _name(entry: importlib.metadata.EntryPoint) -> str:
    distribution = f" of {entry.dist.name} {entry.dist.version}" if entry.dist else ""
    return f"entry point {entry.name} = {entry.value}{distribution} (group {GROUP!r})"


def _place(rule: Rule) -> str:
    return f"{rule.id} ({rule.judge.__module__})"
