"""Provide `IPluginRegistry` for C++: an object that calls this runtime's registry, where C++ creators are proxies."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from reference_runtime.native.abi.slots import text
from reference_runtime.native.abi.tables import Table, Words

if TYPE_CHECKING:
    from reference_runtime.native.abi.slots import Abi


class Registering(Protocol):
    """A registry of creators and resources; each C++ object is its address, and 0 is a null pointer."""

    def register(self, creator: int, namespace: str) -> bool:
        """Register a creator; return whether the registry accepted it."""
        ...

    def deregister(self, creator: int) -> bool:
        """Deregister a creator; return whether it was registered."""
        ...

    def find(self, name: str, version: str, namespace: str) -> int:
        """Return a creator; 0 if there is none."""
        ...

    def creators(self) -> Iterable[int]:
        """Return all creators."""
        ...

    def acquire(self, key: str | None, resource: int) -> int:
        """Return the resource that is shared under a key; 0 if there is none."""
        ...

    def release(self, key: str | None) -> int:
        """Release one use of the resource that is shared under a key; return 0 on success."""
        ...


class RegistryFace:
    """The C++ object that represents the registry; ``address`` is its address."""

    def __init__(self, abi: Abi, registering: Registering) -> None:
        self._registering = registering
        self._listed: Any = None
        methods: dict[str, Any] = {
            "registerCreator": self._register,
            "registerCreator/2": self._register,
            "deregisterCreator": lambda _, creator: registering.deregister(creator),
            "deregisterCreator/2": lambda _, creator: registering.deregister(creator),
            "getPluginCreator": self._find,
            "getCreator": self._find,
            "getPluginCreatorList": self._list,
            "getAllCreators": self._list,
            "getAllCreatorsRecursive": self._list,
            "isParentSearchEnabled": lambda _: True,
            "acquirePluginResource": lambda _, key, resource: registering.acquire(text(key), resource or 0),
            "releasePluginResource": lambda _, key: registering.release(text(key)),
        }
        self._table = Table(abi, "IPluginRegistry", methods)
        self._words = Words(self._table.address)
        self.address = self._words.address

    def _register(self, _this: int, creator: int, namespace: bytes | None) -> bool:
        return self._registering.register(creator, text(namespace) or "")

    def _find(self, _this: int, name: bytes | None, version: bytes | None, namespace: bytes | None) -> int:
        return self._registering.find(*(text(each) or "" for each in (name, version, namespace)))

    def _list(self, _this: int, count: int) -> int:
        creators = list(self._registering.creators())
        ctypes.c_int32.from_address(count).value = len(creators)
        self._listed = (ctypes.c_void_p * max(len(creators), 1))(*creators)
        return ctypes.addressof(self._listed)
