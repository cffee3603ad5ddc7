"""Rules as plain data: what pytest's process needs to know of them, without the code that judges.

Theory: that code brings the reference runtime, which pytest's process does without. So a child loads the rules and
    describes them. Here they become rules again, whose function is in the child. Strategies are drawn from here. A
    function at the top of a module is found by its name when it is first asked. Any other function is found by loading
    the rule.
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
    """The function of a rule that another process judges by."""

    def __init__(self, module: str, name: str, doc: str) -> None:
        self.__module__ = module
        self.__name__ = name
        self.__doc__ = doc

    def __call__(self, *_: object) -> Any:
        raise RuntimeError(f"{self.__module__}.{self.__name__} judges in the plugin's process, and not in pytest's")


class _Strategy(msgspec.Struct, frozen=True):
    """The strategy of a rule, found at its first use. ``name`` is empty if it is no function of a module."""

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
    """Return the rules that :func:`described` described, by id."""
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
