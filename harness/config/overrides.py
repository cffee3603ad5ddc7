"""Read the options of a single plugin from ``[tool.trt-conformance.plugin."/Name/1"]``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import msgspec


class Override(msgspec.Struct, frozen=True):
    """The options of one plugin, or of all versions of it.

    Attributes:
        word: The plugin's name in the table: its key, or its name without namespace and version.
        changes: The values that replace the run's, by field of :class:`harness.config.options.Options`.
        spelling: The file and the table, as messages quote them.
    """

    word: str
    changes: Mapping[str, Any]
    spelling: str = ""

    def concerns(self, key: str) -> bool:
        """Return whether the override is for the plugin with this key (``namespace/Name/version``)."""
        return self.word in {key, *map(unquote, key.split("/")[1:2])}


def of(overrides: Iterable[Override], key: str) -> Override | None:
    """Return the first override for a plugin; None if it has none."""
    return next((override for override in overrides if override.concerns(key)), None)


def deadline_of(overrides: Iterable[Override], key: str) -> float | None:
    """Return the seconds that a request about a plugin may take; None if the plugin has no own ``timeout``."""
    own = of(overrides, key)
    return own.changes.get("timeout") if own else None


def problems(overrides: Iterable[Override], keys: Iterable[str]) -> Iterator[str]:
    """Yield errors about overrides that match no plugin, and about plugins that two overrides match."""
    known = tuple(dict.fromkeys(keys))
    claimed: dict[str, Override] = {}
    for override in overrides:
        concerned = [key for key in known if override.concerns(key)]
        if not concerned:
            yield f"{override.spelling}: the plugin does not exist; found: {', '.join(known) or 'no plugin'}"
        for key in concerned:
            first = claimed.setdefault(key, override)
            if first is not override:
                yield f"{override.spelling}: {key} has a table already, {first.word!r}: keep one of them"
