"""Find an attribute whose value differs between two plugin objects."""

from __future__ import annotations

from typing import Any

#: Only values of these classes are compared, because comparing them runs no code of the plugin.
_PLAIN = (bool, int, float, str, bytes, type(None))


def differing_attribute(one: Any, other: Any) -> tuple[str, str, str] | None:
    """Return the name of the first attribute whose plain value differs, and both values as text; None if none does."""
    others = _attributes(other)
    for name, value in _attributes(one).items():
        if name in others and _is_plain(value) and _is_plain(others[name]) and value != others[name]:
            return name, repr(value), repr(others[name])
    return None


def _attributes(plugin: Any) -> dict[str, Any]:
    attributes = getattr(plugin, "__dict__", {})
    return attributes if type(attributes) is dict else {}


def _is_plain(value: Any) -> bool:
    if type(value) in {tuple, list}:
        return all(type(each) in _PLAIN for each in value)
    return type(value) in _PLAIN
