"""Explain a rule: its requirement and reason, its source in TensorRT, an example with its fix, and a real bug."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract.api_level import SPECS
from harness.contract.codec import to_plain
from harness.contract.explaining import real_bugs, witnesses
from harness.contract.explaining.corrections import correction, dedented
from harness.contract.explaining.witnesses import Excerpt
from harness.contract.own_names import own
from harness.contract.thoroughness import Thoroughness

if TYPE_CHECKING:
    from harness.contract.explaining.witnesses import PlantedFault
    from harness.contract.rule import Rule

_WIDTH = 110
_INDENT = " " * 12
_ADDS = {Thoroughness.SMOKE: "smoke", Thoroughness.DEFAULT: "default", Thoroughness.EXHAUSTIVE: "exhaustive"}
_CHECKS = own("harness.checks.")


def explanation(rule: Rule, *, verbose: bool = False) -> str:
    """Return the explanation of a rule, as text for a terminal; ``verbose`` adds facts for maintainers."""
    lines = [f"{rule.id}: {_plain(rule.requirement)}", ""]
    faults = witnesses.by_rule({rule.id}).get(rule.id, [])
    for name, text in (*_reason(rule), *_facts(rule)):
        lines += _field(name, text)
    lines += _example(faults)
    for name, text in (*_fix(rule), *_real_bug(rule)):
        lines += _field(name, text)
    return "\n".join([*lines, *(_more(rule, faults) if verbose else ())]) + "\n"


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


def _reason(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.reason:
        yield "why", _plain(rule.reason)


def _facts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "source", str(rule.source)
    at = [f"{spec}: {rule.severity_at(spec).value}" for spec in SPECS if rule.severity_at(spec) is not rule.severity]
    tool = f"; with {rule.tool.option}" if rule.tool else ""
    yield "severity", "; ".join([rule.severity.value, *(f"TensorRT {each}" for each in at)]) + tool


def _example(faults: Sequence[PlantedFault]) -> Iterator[str]:
    """Yield the lines that show a faulty example and its correction; without a correction, the whole example."""
    best = correction(faults)
    if best:
        yield from ("", *_field("example", _plain(best.fault.defect)))
        yield from _quoted("faulty", [Excerpt(best.file, best.line, dedented(best.faulty))])
        yield from _lines("fixed", dedented(best.fixed))
    elif faults:
        shown = [fault for fault in faults if fault.faulty] or faults
        shortest = min(shown, key=lambda fault: sum(len(excerpt.lines) for excerpt in fault.faulty))
        yield from ("", *_field("example", _plain(shortest.defect)), *_quoted("faulty", shortest.faulty))


def _fix(rule: Rule) -> Iterator[tuple[str, str]]:
    fixes = sorted(dict.fromkeys(_fixes(rule.judge)), key=lambda text: "<" in text)
    if fixes:
        yield "fix", fixes[0]


def _real_bug(rule: Rule) -> Iterator[tuple[str, str]]:
    for bug in real_bugs.caught_by(rule.id)[:1]:
        threads = f" ({', '.join(bug.links[:2])})" if bug.links else ""
        yield "real bug", f"{bug.bug}{threads}"


def _more(rule: Rule, faults: Iterable[PlantedFault]) -> Iterator[str]:
    """Yield the facts for maintainers: how the rule is checked, and all its examples."""
    yield ""
    for name, text in _checking(rule):
        yield from _field(name, text)
    for fault in faults:
        yield from ("", *_field("caught", _plain(fault.defect)))
        yield from (*_quoted("faulty", fault.faulty), *_quoted("sound", fault.mended))


def _checking(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "interfaces", ", ".join(sorted(each.value for each in rule.interfaces))
    level = next(each for each in Thoroughness if each.number == rule.level)
    drives = "; it runs an engine, with every seed of the run" if rule.drives else ""
    yield "level", f"{rule.level} ({_ADDS[level]}) and above{drives}"
    yield "requires", ", ".join(sorted(rule.requires)) or "no other rule"
    if rule.owns:
        yield "reports", f"unexpected failures of {', '.join(sorted(rule.owns))}"
    yield "checked by", f"{rule.judge.__name__} in {place(rule.judge)}"
    for name, purpose in checks(rule.judge):
        yield "looks with", f"{name}: {purpose}"


def place(function: Callable[..., Any]) -> str:
    """Return the file and line of a function."""
    file = Path(inspect.getsourcefile(function) or "")
    return f"{Path(*file.parts[-3:])}:{inspect.getsourcelines(function)[1]}"


def checks(judge: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Yield the checks that a rule uses, directly or through functions of its module, each with its purpose."""
    for value in _used(judge):
        module = getattr(value, "__module__", "")
        if module.startswith(_CHECKS):
            purpose = _plain((inspect.getdoc(value) or "").partition("\n")[0])
            yield f"{module.removeprefix(_CHECKS)}.{value.__name__}", purpose


def _fixes(judge: Callable[..., Any]) -> Iterator[str]:
    """Yield the fixes of a rule's violations, in their order. Values that only a run knows are names in brackets."""
    own_functions = [each for each in _used(judge) if each.__module__ == judge.__module__ and inspect.isfunction(each)]
    for function in (inspect.unwrap(judge), *own_functions):
        defaults = {each.name: each.default for each in inspect.signature(function).parameters.values()}
        nodes = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function))))
        fixes = [node for node in nodes if isinstance(node, ast.keyword) and node.arg == "fix"]
        for node in sorted(fixes, key=lambda node: node.lineno):
            yield from _shown(node.value, {**judge.__globals__, **defaults})


def _shown(text: ast.expr, known: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that an expression can have; yield none if the source does not show them."""
    if isinstance(text, ast.Constant):
        yield str(text.value)
    elif isinstance(text, ast.Name) and isinstance(known.get(text.id), str):
        yield known[text.id]
    elif isinstance(text, ast.IfExp):
        yield from (each for branch in (text.body, text.orelse) for each in _shown(branch, known))
    elif isinstance(text, ast.JoinedStr):
        yield _joined(text.values, known)
    elif isinstance(text, ast.Call) and isinstance(text.func, ast.Name) and inspect.isfunction(known.get(text.func.id)):
        body = ast.parse(textwrap.dedent(inspect.getsource(known[text.func.id])))
        for node in ast.walk(body):
            if isinstance(node, ast.Return) and isinstance(node.value, (ast.Constant, ast.JoinedStr)):
                yield from _shown(node.value, known)


def _joined(parts: Iterable[ast.expr], known: dict[str, Any]) -> str:
    """Return an f-string's text with names in place of values.

    A call after a word adds a sentence for some interfaces, and is left out.
    """
    shown = ""
    for part in parts:
        if isinstance(part, ast.Constant):
            shown += str(part.value)
        elif isinstance(part, ast.FormattedValue) and not (isinstance(part.value, ast.Call) and shown[-1:].strip()):
            shown += _value_name(part.value, known)
    return shown


def _value_name(value: ast.expr, known: dict[str, Any]) -> str:
    """Return a constant of the module, or a name in brackets: ``<output>`` for ``each.output``."""
    if isinstance(value, ast.Attribute) and value.attr != "name":
        return f"<{value.attr}>"
    names = [node.id for node in ast.walk(value) if isinstance(node, ast.Name)]
    constant = known.get(names[0]) if names else None
    return constant if isinstance(constant, str) else f"<{names[0].strip('_').replace('_', ' ') if names else '...'}>"


def _used(judge: Callable[..., Any]) -> Iterator[Any]:
    """Yield all that a rule and the functions of its module call by name, each once."""
    waiting, seen = [judge], set[str]()
    while waiting:
        function = waiting.pop(0)
        for name in _names(inspect.unwrap(function).__code__):
            value = getattr(function, "__globals__", {}).get(name)
            if not callable(value) or name in seen:
                continue
            seen.add(name)
            if getattr(value, "__module__", "") == judge.__module__ and isinstance(value, types.FunctionType):
                waiting.append(value)
            yield value


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _quoted(name: str, excerpts: Iterable[Excerpt]) -> Iterator[str]:
    for excerpt in excerpts:
        yield from _field(name, f"{excerpt.file}:{excerpt.first}")
        yield from (f"{_INDENT}{line}".rstrip() for line in excerpt.lines)


def _lines(name: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines of code, the first of them behind a name."""
    for mark, line in zip([name, *[""] * (len(lines) - 1)], lines, strict=True):
        yield f"{mark:<11} {line}".rstrip()


def _field(name: str, text: str) -> list[str]:
    paragraphs = [line for part in text.split("\n\n") for line in (*textwrap.wrap(part, _WIDTH - len(_INDENT)), "")]
    first, *others = paragraphs[:-1] or [""]
    return [f"{name:<11} {first}", *(f"{_INDENT}{line}".rstrip() for line in others)]


def _plain(text: str) -> str:
    return text.replace("``", "")
