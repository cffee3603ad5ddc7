"""Compare the reference runtime's public names with those of ``tensorrt`` at an API level.

Each member of the measured surface is present, missing, or different. A different member has another kind or other
signatures, or cannot be assigned. A member that only raises that it is not supported counts as missing. Names of the
reference runtime that the level does not have are reported, too.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Collection
from functools import cached_property
from types import ModuleType
from typing import Any

import msgspec
from msgspec import structs
from pages.surfaces import Surface, load

import reference_runtime
from reference_runtime import levels

_ABSENT = object()
_EXCUSE = re.compile(r"not (yet )?(supported|implemented|available)|unsupported|NotImplementedError", re.IGNORECASE)


class Part(msgspec.Struct, frozen=True):
    """The differences of one class, enumeration, function or alias.

    Attributes:
        name: Its name.
        kind: ``class``, ``enum``, ``function`` or ``alias``.
        of: The members in the surface.
        missing: The members that the reference runtime lacks.
        different: The members that differ, each with the difference in words.
        more: The members that only the reference runtime has.
    """

    name: str
    kind: str
    of: tuple[str, ...]
    missing: tuple[str, ...] = ()
    different: dict[str, str] = msgspec.field(default_factory=dict)
    more: tuple[str, ...] = ()

    @property
    def present(self) -> tuple[str, ...]:
        """Return the members that exist, including those that differ."""
        return tuple(name for name in self.of if name not in self.missing)

    def only(self, names: Collection[str]) -> Part:
        """Return the part with only the members in ``names``; ``more`` does not change."""
        of, missing = (tuple(name for name in each if name in names) for each in (self.of, self.missing))
        different = {name: what for name, what in self.different.items() if name in names}
        return structs.replace(self, of=of, missing=missing, different=different)


class Report(msgspec.Struct, frozen=True, dict=True):
    """The differences of a level; ``more`` are names of the module that the level lacks."""

    level: str
    surface: Surface
    parts: tuple[Part, ...]
    more: tuple[str, ...]

    @cached_property
    def needed(self) -> tuple[Part, ...]:
        """Return the parts that must be complete: all but the classes and methods that plugins do not need."""
        needed = (
            part if part.kind != "class" else part.only([n for n in part.of if self.surface.must_have(part.name, n)])
            for part in self.parts
        )
        return tuple(part for part in needed if part.of)


def measure(level: str) -> Report:
    """Apply an API level to the reference runtime in this process, and compare its names with that level's."""
    levels.apply(level)
    return compare(reference_runtime, load(level), level)


def compare(module: ModuleType, surface: Surface, level: str) -> Report:
    """Compare a module's names with a surface."""
    parts = [_enumeration(module, name, members) for name, members in surface.enums.items()]
    parts += [_class(module, surface, name) for name in surface.classes]
    parts += [_function(module, name, texts) for name, texts in surface.functions.items()]
    parts += [_alias(module, name, target) for name, target in surface.aliases.items()]
    ours = {name for name in dir(module) if not name.startswith("_")}
    return Report(level, surface, tuple(parts), tuple(sorted(ours - surface.names)) if surface.whole else ())


def _enumeration(module: ModuleType, name: str, members: dict[str, int]) -> Part:
    there = getattr(_found(module, name), "__members__", {})
    wrong = {
        member: f"{int(there[member])} instead of {value}"
        for member, value in members.items()
        if member in there and int(there[member]) != value
    }
    missing = tuple(member for member in members if member not in there)
    return Part(name, "enum", tuple(members), missing, wrong, tuple(sorted(set(there) - set(members))))


def _class(module: ModuleType, surface: Surface, name: str) -> Part:
    cls, members = _found(module, name), surface.classes[name]
    if not isinstance(cls, type):
        return Part(name, "class", tuple(members), tuple(members))
    missing = tuple(member for member in members if _is_missing(cls, member))
    different = {
        member: what
        for member, measured in members.items()
        if member not in missing and (what := _difference(cls, name, member, measured.kind, measured.signatures))
    }
    bases = tuple(base.__name__ for base in cls.__mro__[1:] if base.__name__ in surface.names)
    if surface.whole and bases != surface.bases[name]:
        different["(bases)"] = f"{', '.join(bases) or 'none'} instead of {', '.join(surface.bases[name]) or 'none'}"
    more = {member for member in dir(cls) if not member.startswith("_")} - set(members)
    return Part(name, "class", tuple(members), missing, different, tuple(sorted(more)) if surface.whole else ())


def _function(module: ModuleType, name: str, texts: tuple[str, ...]) -> Part:
    function = _found(module, name)
    if not callable(function) or _only_refuses(function):
        return Part(name, "function", (name,), (name,))
    ours = _signatures(function)
    different = {name: _instead(ours, texts)} if texts and ours and set(ours) != set(texts) else {}
    return Part(name, "function", (name,), (), different)


def _alias(module: ModuleType, name: str, target: str) -> Part:
    ours = _found(module, name)
    if ours is _ABSENT:
        return Part(name, "alias", (name,), (name,))
    return Part(name, "alias", (name,), (), {} if ours == _found(module, target) else {name: f"not {target}"})


def _found(module: Any, path: str) -> Any:
    value = module
    for name in path.split("."):
        value = getattr(value, name, _ABSENT)
    return value


def _attribute(cls: type, name: str) -> Any:
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), _ABSENT)


def _is_missing(cls: type, name: str) -> bool:
    attribute = _attribute(cls, name)
    if isinstance(attribute, property):
        return any(_only_refuses(part) for part in (attribute.fget, attribute.fset) if part is not None)
    return attribute is _ABSENT or (name != "__init__" and callable(attribute) and _only_refuses(attribute))


def _difference(cls: type, owner: str, name: str, kind: str, texts: tuple[str, ...]) -> str:
    """Return how a member differs from the measured member; empty if it does not."""
    attribute = _attribute(cls, name)
    ours = "method" if callable(attribute) else type(attribute).__name__
    if isinstance(attribute, property):
        ours = "property" if attribute.fset is None else "writable property"
    if kind in {"method", "property", "writable property"} and ours != kind:
        return f"a {ours} instead of a {kind}"
    shown = _signatures(attribute)
    if texts and shown and name not in vars(object) and set(shown) != set(texts):
        return _instead(shown, texts)
    return f"no constructor of {owner}" if name == "__init__" and texts and not shown else ""


def _instead(ours: tuple[str, ...], measured: tuple[str, ...]) -> str:
    only = [text for text in ours if text not in measured]
    lacking = [text for text in measured if text not in ours]
    return f"{' and '.join(only) or 'nothing'} instead of {' and '.join(lacking) or 'nothing'}"


def _signatures(function: Any) -> tuple[str, ...]:
    """Return the overloads' signatures of a function of ``reference_runtime.bound``; none for other functions."""
    overloads = getattr(inspect.unwrap(function, stop=lambda one: hasattr(one, "overloads")), "overloads", ())
    return tuple(overload.text for overload in overloads)


def _only_refuses(function: Any) -> bool:
    """Return whether a function only raises that it is not supported."""
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
        tree = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError):  # no source, or a lambda in the middle of a statement
        return False
    if not isinstance(tree, ast.FunctionDef):
        return False
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    return len(body) == 1 and isinstance(body[0], ast.Raise) and _EXCUSE.search(ast.unparse(body[0])) is not None
