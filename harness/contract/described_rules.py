"""Describe rules as plain data, and make rules of the descriptions in a process that does not judge.

Theory: the code that judges imports the reference runtime, and pytest's process does not. So a child loads the rules
and describes them. Pytest's process makes rules of the descriptions. They cannot judge, but they draw the examples of
fuzz rules. A strategy at the top level of a module is imported by its name at its first use. For any other strategy,
the rule itself is loaded.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from harness.contract import catalogue, extra_tools
from harness.contract.codec import read, to_plain
from harness.contract.interface import Interface
from harness.contract.own_names import own, public
from harness.contract.rule import Rule, Severity, Source


class _Elsewhere:
    """The function of a rule in a process that does not judge; a call raises RuntimeError."""

    def __init__(self, module: str, name: str, doc: str) -> None:
        self.__module__ = module
        self.__name__ = name
        self.__doc__ = doc

    def __call__(self, *_: object) -> Any:
        raise RuntimeError(f"{self.__module__}.{self.__name__} judges in the plugin's process, and not in pytest's")


class _Strategy(msgspec.Struct, frozen=True):
    """The strategy of a rule, imported when it is called.

    ``name`` is empty if the strategy is not at the top level of its module; then the rule is loaded.
    """

    rule: str
    module: str
    name: str

    def __call__(self, *arguments: Any) -> Any:
        if self.name:
            return getattr(importlib.import_module(own(self.module)), self.name)(*arguments)
        strategy = catalogue.load_rules()[self.rule].strategy
        if strategy is None:
            raise RuntimeError(f"{self.rule} has a strategy in the plugin's process, and none in pytest's")
        return strategy(*arguments)


def described(rules: Iterable[Rule]) -> list[dict[str, Any]]:
    """Return rules as JSON can hold them."""
    return [
        {
            **to_plain(rule),
            "judge": [public(rule.judge.__module__), rule.judge.__name__, inspect.getdoc(rule.judge)],
            "strategy": None if rule.strategy is None else _name_of(rule.strategy),
        }
        for rule in rules
    ]


def _name_of(strategy: Any) -> list[str]:
    if isinstance(strategy, _Strategy):
        return [strategy.module, strategy.name]
    module, name = getattr(strategy, "__module__", ""), getattr(strategy, "__qualname__", "")
    is_found = getattr(sys.modules.get(module), name, None) is strategy
    return [public(module), name if is_found else ""]


def rules_of(plain: Iterable[Mapping[str, Any]]) -> dict[str, Rule]:
    """Return the rules by id, from the descriptions that :func:`described` returned."""
    return {each["id"]: _rule_of(each) for each in plain}


def _rule_of(plain: Mapping[str, Any]) -> Rule:
    return Rule(
        id=plain["id"],
        judge=_Elsewhere(*plain["judge"]),
        source=read(Source, plain["source"]),
        severity=Severity(plain["severity"]),
        interfaces=frozenset(map(Interface, plain["interfaces"])),
        requires=frozenset(plain["requires"]),
        owns=frozenset(plain["owns"]),
        explained_by=frozenset(plain["explained_by"]),
        level=plain["level"],
        drives=plain["drives"],
        strategy=None if plain["strategy"] is None else _Strategy(plain["id"], *plain["strategy"]),
        tool=extra_tools.named(plain["tool"]) if plain["tool"] else None,
    )
