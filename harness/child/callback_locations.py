"""Where a plugin's callbacks are written, so that a report can point at the method that a violation is about."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from harness.subject.creators import CREATORS, definition_of
from reference_runtime.instruments import is_bound


def callback_places(creator: Any) -> dict[str, dict[str, Any]]:
    """Return ``{"file", "line"}`` by callback, of the creator and of what it makes; nothing is called for it.

    Which classes it makes is told by its attributes and the names in its code, and in theirs: of those that TensorRT's
    are bases of. Where nothing tells, all such classes of its modules may be meant, the most derived ones. A callback
    that two of them define is left out.
    """
    definition = definition_of(creator)
    if definition is not None:
        functions = {
            "register": definition.register_func,
            "autotune": definition.autotune_func,
            "impl": definition.impl_func,
            "aot_impl": definition.aot_impl_func,
        }
        found = {name: _place(function) for name, function in functions.items()}
        return {name: place for name, place in found.items() if place}
    places: dict[str, list[dict[str, Any]]] = {}
    for cls in _classes(type(creator)):
        for name, place in _callbacks(cls):
            if place not in places.setdefault(name, []):
                places[name].append(place)
    return {name: found[0] for name, found in sorted(places.items()) if len(found) == 1}


def _classes(creator: type) -> list[type]:
    scopes = [vars(sys.modules[cls.__module__]) for cls in creator.__mro__ if cls.__module__ in sys.modules]
    known = {name: value for scope in scopes for name, value in scope.items() if _is_made(value)}
    found = [creator]
    for cls in found:  # which grows meanwhile
        held = [value for base in _written(cls) for value in vars(base).values() if _is_made(value)]
        codes = (getattr(value, "__code__", None) for base in _written(cls) for value in vars(base).values())
        named = [known[name] for code in codes for name in getattr(code, "co_names", ()) if name in known]
        found += dict.fromkeys(each for each in [*held, *named] if each not in found)
    if len(found) == 1:
        found += dict.fromkeys(known.values())
    return [cls for cls in found if not any(other is not cls and issubclass(other, cls) for other in found)]


def _is_made(value: object) -> bool:
    """Whether this is a class of plugins, or of parts of such, that a user wrote."""
    return (
        inspect.isclass(value)
        and not is_bound(value)
        and not issubclass(value, CREATORS)
        and any(map(is_bound, value.__mro__))
    )


def _callbacks(cls: type) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the callbacks of TensorRT's that a class overrides, each with its place."""
    offered = {name for base in cls.__mro__ if is_bound(base) for name in vars(base) if not name.startswith("_")}
    overridden: Mapping[str, Any] = {
        name: value for base in reversed(_written(cls)) for name, value in vars(base).items()
    }
    for name in sorted(offered & overridden.keys()):
        place = _place(overridden[name])
        if place:
            yield name, place


def _written(cls: type) -> list[type]:
    return [base for base in cls.__mro__ if base is not object and not is_bound(base)]


def _place(function: Any) -> dict[str, Any]:
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    if code is None or code.co_filename.startswith("<"):
        return {}
    return {"file": code.co_filename, "line": code.co_firstlineno}
