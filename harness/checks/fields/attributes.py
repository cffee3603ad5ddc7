"""Find an attribute that differs between two plugin objects, as its author named it."""

from __future__ import annotations

from typing import Any

#: Values of these classes are compared: no code of the plugin runs for it.
_PLAIN = (bool, int, float, str, bytes, type(None))


def differing_attribute(one: Any, other: Any) -> tuple[str, str, str] | None:
    """Return the first attribute whose plain value differs: its name and both values; None without one."""
    theirs = _attributes(other)
    for name, value in _attributes(one).items():
        if name in theirs and _is_plain(value) and _is_plain(theirs[name]) and value != theirs[name]:
            return name, repr(value), repr(theirs[name])
    return None


def _attributes(plugin: Any) -> dict[str, Any]:
    held = getattr(plugin, "__dict__", {})
    return held if type(held) is dict else {}


def _is_plain(value: Any) -> bool:
    if type(value) in {tuple, list}:
        return all(type(each) in _PLAIN for each in value)
    return type(value) in _PLAIN
