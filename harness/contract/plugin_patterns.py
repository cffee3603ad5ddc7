"""Choose plugins by the patterns of ``--plugin-include`` and ``--plugin-exclude``."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from urllib.parse import unquote


def chosen(key: str, include: Iterable[str], exclude: Iterable[str]) -> bool:
    """Return whether a run certifies the plugin with this key: it is included, and not excluded.

    Without patterns in ``include``, all plugins are included.
    """
    included = tuple(include)
    return (not included or matches_any(included, [key])) and not matches_any(exclude, [key])


def matches_any(patterns: Iterable[str], keys: Iterable[str]) -> bool:
    """Return whether a pattern, in the syntax of ``fnmatch``, fits the name or the key of a plugin."""
    names = [name for key in keys for name in (key, unquote(key.split("/")[1]))]
    return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)
