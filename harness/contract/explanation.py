"""A rule in words: what it requires and why, where TensorRT says so, how it is checked, and what it catches."""

from __future__ import annotations

import inspect
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract import witnesses
from harness.contract.api_level import SPECS
from harness.contract.codec import to_plain
from harness.contract.own_names import own
from harness.contract.thoroughness import Thoroughness

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.contract.witnesses import Excerpt

_WIDTH = 110
_INDENT = " " * 12
_ADDS = {Thoroughness.SMOKE: "smoke", Thoroughness.DEFAULT: "default", Thoroughness.EXHAUSTIVE: "exhaustive"}
_CHECKS = own("harness.checks.")


def explanation(rule: Rule) -> str:
    """Return the explanation of a rule, as text for a terminal."""
    lines = [f"{rule.id}: {_plain(rule.requirement)}", ""]
    for name, text in _facts(rule):
        lines += _field(name, text)
    for fault in witnesses.by_rule({rule.id}).get(rule.id, ()):
        lines += ["", *_field("caught", fault.defect)]
        lines += [*_quoted("faulty", fault.faulty), *_quoted("mended", fault.mended)]
    return "\n".join(lines) + "\n"


def as_data(rule: Rule) -> dict[str, Any]:
    """Return the facts of a rule as JSON can hold them."""
    return {
        "id": rule.id,
        "family": rule.family,
        "requirement": _plain(rule.requirement),
        "reason": _plain(rule.reason),
        "severity": {spec: rule.severity_at(spec).value for spec in SPECS},
        "level": rule.level,
        "drives": rule.drives,
        "interfaces": sorted(each.value for each in rule.interfaces),
        "requires": sorted(rule.requires),
        "owns": sorted(rule.owns),
        "explained_by": sorted(rule.explained_by),
        "source": {name: value for name, value in to_plain(rule.source).items() if name != "softer"},
    }


def _facts(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.reason:
        yield "why", _plain(rule.reason)
    yield "source", str(rule.source)
    at = [f"{spec}: {rule.severity_at(spec).value}" for spec in SPECS if rule.severity_at(spec) is not rule.severity]
    yield "severity", "; ".join([rule.severity.value, *(f"TensorRT {each}" for each in at)])
    yield "interfaces", ", ".join(sorted(each.value for each in rule.interfaces))
    level = next(each for each in Thoroughness if each.number == rule.level)
    drives = "; it drives an engine and is judged with every seed of the run" if rule.drives else ""
    tool = f", with {rule.tool.option}" if rule.tool else ""
    yield "level", f"{rule.level} ({_ADDS[level]}) and above{tool}{drives}"
    yield "requires", ", ".join(sorted(rule.requires)) or "no other rule"
    if rule.owns:
        yield "reports", f"unexpected failures of {', '.join(sorted(rule.owns))}"
    yield "checked by", f"{rule.judge.__name__} in {place(rule.judge)}"
    for name, told in checks(rule.judge):
        yield "looks with", f"{name}: {told}"


def place(function: Callable[..., Any]) -> str:
    """Return the file and line of a function."""
    file = Path(inspect.getsourcefile(function) or "")
    return f"{Path(*file.parts[-3:])}:{inspect.getsourcelines(function)[1]}"


def checks(judge: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Yield the checks that a rule looks with, by way of its family's own functions too, each with what it does."""
    waiting, seen = [judge], set[str]()
    while waiting:
        function = waiting.pop(0)
        for name in _names(inspect.unwrap(function).__code__):
            value = getattr(function, "__globals__", {}).get(name)
            if not callable(value) or name in seen:
                continue
            seen.add(name)
            module = getattr(value, "__module__", "")
            if module == judge.__module__ and isinstance(value, types.FunctionType):
                waiting.append(value)
            elif module.startswith(_CHECKS):
                yield f"{module.removeprefix(_CHECKS)}.{name}", _plain((inspect.getdoc(value) or "").partition("\n")[0])


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _quoted(name: str, excerpts: Iterable[Excerpt]) -> Iterator[str]:
    for excerpt in excerpts:
        yield from _field(name, f"{excerpt.file}:{excerpt.first}")
        yield from (f"{_INDENT}{line}".rstrip() for line in excerpt.lines)


def _field(name: str, text: str) -> list[str]:
    paragraphs = [line for part in text.split("\n\n") for line in (*textwrap.wrap(part, _WIDTH - len(_INDENT)), "")]
    first, *others = paragraphs[:-1] or [""]
    return [f"{name:<11} {first}", *(f"{_INDENT}{line}".rstrip() for line in others)]


def _plain(text: str) -> str:
    return text.replace("``", "")
