"""The resources that plugins share: for each key, a clone of the first resource offered, and the number of claims.

Theory. The registry clones the first resource that is offered under a key, and returns the clone for each acquisition.
When it has been released as often as it was acquired, the registry calls its ``release`` and deletes it. If the clone
fails, the key stays without a resource for ever (measured). The registry is locked while a resource clones itself.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from msgspec import Struct

from reference_runtime.bound.bound_class import bury
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.trampolines import resources
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.interfaces.resources import IPluginResource


class _Entry(Struct):
    """The entry of a key; ``resource`` is None if the first clone failed."""

    resource: IPluginResource | None
    users: int = 0


class SharedResources:
    """The resources of one registry by their keys."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._cloning: int | None = None
        self._hung: NativeCrash | None = None

    def acquired(self) -> dict[str, int]:
        """Return the number of claims on each key that are not released."""
        return {key: entry.users for key, entry in self._entries.items()}

    def users(self, key: str) -> int:
        """Return the number of claims on a key that are not released."""
        entry = self._entries.get(key)
        return 0 if entry is None else entry.users

    def acquire(self, gate: Gate, key: str | None, resource: IPluginResource | None) -> IPluginResource | None:
        """Return the resource of a key: a clone of the first resource offered, or None if that clone failed."""
        for name, value in (("key", key), ("resource", resource)):
            if value is None:
                raise Refused(f"Parameter check failed, condition: ({name}) != nullptr. ")
        entry = self._entries.get(key or "")
        if entry is None:
            entry = self._entries[key or ""] = _Entry(self._clone(gate, resource))
        entry.users += 1
        return entry.resource

    def release(self, gate: Gate, key: str | None) -> int:
        """Release one claim on a key; return 0, or for the last claim the status of the clone's ``release``."""
        if key is None:
            raise Refused("Parameter check failed, condition: (key) != nullptr. ")
        entry = self._entries.get(key)
        if entry is None:
            condition = "condition: resIterator != mResourceMap.end(). There is no resource registered under key: "
            raise Refused(f"Parameter check failed, {condition}{key}")
        if not entry.users:
            raise Refused("Assertion resIterator->second.refCount > 0 failed. ", Reason.INTERNAL)
        entry.users -= 1
        return 0 if entry.users else self._end(gate, key, entry)

    def refuse_while_cloning(self) -> None:
        """Raise NativeCrash if a resource's ``clone`` calls the registry, which then waits for its own lock."""
        if self._cloning == threading.get_ident():
            self._hung = NativeCrash(
                "IPluginResource.clone() called the plugin registry, which is locked during that call. "
                "The genuine bindings wait here for ever. Make these calls before acquire_plugin_resource()."
            )
            raise self._hung

    def _clone(self, gate: Gate, resource: IPluginResource | None) -> IPluginResource | None:
        self._cloning, self._hung = threading.get_ident(), None
        try:
            made: IPluginResource | None = resources.clone(gate, resource)
        finally:
            self._cloning = None
        if self._hung is not None:
            raise self._hung
        return made

    def _end(self, gate: Gate, key: str, entry: _Entry) -> int:
        if entry.resource is None:
            raise Refused("Assertion resIterator->second.resource != nullptr failed. ", Reason.INTERNAL)
        del self._entries[key]
        status = resources.release(gate, entry.resource)
        bury(
            entry.resource,
            f"The resource of key {key!r} was used after its last release. The registry has deleted it, and the "
            f"genuine bindings crash here. Release a resource once for each time it was acquired, and drop it then.",
        )
        return status
