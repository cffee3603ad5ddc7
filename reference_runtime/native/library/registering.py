"""Register the creators and resources of a library as proxies in this runtime's registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reference_runtime.native.abi.slots import DELETE
from reference_runtime.native.exchange.misuses import note
from reference_runtime.native.library.errors import LibraryError
from reference_runtime.native.proxies.creators import creator_class
from reference_runtime.native.proxies.proxy import Proxy
from reference_runtime.native.proxies.resources import NativeResource

if TYPE_CHECKING:
    from reference_runtime.native.proxies.objects import Objects

_FAILED = -1


class Registrations:
    """One library's creators and resources in a registry of this runtime."""

    def __init__(self, registry: Any) -> None:
        self._registry = registry
        self.objects: Objects | None = None
        self.proxies: list[Any] = []

    def register(self, creator: int, namespace: str) -> bool:
        """Register a creator's proxy; return whether the registry accepted it."""
        try:
            proxy = self.proxy(creator)
            self.proxies.append(proxy)
            return bool(self._registry.register_creator(proxy, namespace))
        except Exception as error:  # noqa: BLE001 - no exception may pass through C++
            note(error)
            return False

    def deregister(self, creator: int) -> bool:
        """Deregister a creator's proxy; return whether it was registered."""
        known = next((each for each in self.proxies if each.this == creator), None)
        return known is not None and bool(self._registry.deregister_creator(known))

    def find(self, name: str, version: str, namespace: str) -> int:
        """Return the address of a C++ creator; 0 if none is registered under that name, version and namespace."""
        return _address_of(self._registry.get_creator(name, version, namespace))

    def creators(self) -> Iterable[int]:
        """Return the addresses of all C++ creators."""
        return filter(None, map(_address_of, self._registry.all_creators))

    def acquire(self, key: str | None, resource: int) -> int:
        """Return the address of the resource that is shared under a key; 0 if there is none."""
        offered = None if self.objects is None else self.objects.proxy(NativeResource, resource)
        return _address_of(self._registry.acquire_plugin_resource(key, offered))

    def release(self, key: str | None) -> int:
        """Release one use of a resource; the last release destroys it. Return 0, or -1 if it is not in use."""
        users = self._registry.acquired().get(key, 0)
        if not users:
            return _FAILED
        last = None
        if users == 1:
            last = self._registry.acquire_plugin_resource(key, None)
        self._registry.release_plugin_resource(key)
        if isinstance(last, NativeResource):
            last.end(DELETE)
        return 0

    def proxy(self, creator: int) -> Any:
        """Return the proxy of a creator.

        Raises:
            LibraryError: The creator was compiled for another version of TensorRT.
            RuntimeError: The library's objects are not set yet.
        """
        if self.objects is None:
            raise RuntimeError("a creator was registered before the library was loaded")
        _same_epoch(self.objects, creator)
        return self.objects.proxy(creator_class(self.objects, creator), creator)


def _address_of(proxy: Any) -> int:
    return proxy.this if isinstance(proxy, Proxy) else 0


def _same_epoch(objects: Objects, creator: int) -> None:
    """Raise if a creator is of another epoch: up to TensorRT 9 a creator's first function returns the version."""
    answer = objects.abi.call(creator, "IPluginV2", "getTensorRTVersion")
    is_old = answer >= 1000  # noqa: PLR2004 - since TensorRT 10 the first function returns the language, a small number
    if is_old is objects.abi.has("IVersionedInterface"):
        compiled = "TensorRT 8 or 9" if is_old else "TensorRT 10 or later"
        fix = "--plugin-spec=8.6" if is_old else "--plugin-spec=10 or 11"
        raise LibraryError(
            f"a creator was compiled for {compiled}, and the run is about TensorRT {objects.abi.epoch.name}: add {fix}"
        )
