"""Represent C++ creators of plugins of version 2 and of version 3."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One
from reference_runtime.interfaces.field_collections import PluginFieldCollection
from reference_runtime.native.abi.slots import text
from reference_runtime.native.exchange.fields import declared_lengths, lent_fields, read_fields
from reference_runtime.native.exchange.misuses import MisuseError
from reference_runtime.native.proxies.proxy import Proxy
from reference_runtime.native.proxies.version_2 import plugin_at
from reference_runtime.native.proxies.version_3 import NativeV3

if TYPE_CHECKING:
    from reference_runtime.native.proxies.objects import Objects


def creator_class(objects: Objects, this: int) -> type[Any]:
    """Return the proxy's class for a creator, which reports its kind since TensorRT 10.

    Raises:
        MisuseError: It reports a kind that is unknown, or is no creator's.
    """
    if not objects.abi.has("IVersionedInterface"):
        return NativeCreator
    info = objects.abi.call(this, "IVersionedInterface", "getInterfaceInfo")
    proxies: dict[str, type[Any]] = {"PLUGIN CREATOR_V1": NativeCreator, "PLUGIN CREATOR_V3ONE": NativeCreatorV3}
    kind = text(info.kind) or ""
    if kind not in proxies:
        raise MisuseError(f"a creator reports the unknown kind {kind!r} {info.major}.{info.minor}")
    return proxies[kind]


class _Creator(Proxy):
    """The base of all proxies for creators; it reads each attribute once, as the registry does."""

    def _read(self) -> None:
        self.name = self.text("getPluginName") or ""
        self.plugin_version = self.text("getPluginVersion") or ""
        self.plugin_namespace = self.text("getPluginNamespace") or ""
        collection = self.call("getFieldNames")
        fields = read_fields(self.objects.abi.structures, collection, advertised=True)
        self.declared_lengths = declared_lengths(self.objects.abi.structures, collection)
        self.field_names = PluginFieldCollection() if fields is None else fields


class NativeCreator(_Creator, IPluginCreator):
    """An ``IPluginCreator`` in C++."""

    def __init__(self, objects: Objects, this: int) -> None:
        IPluginCreator.__init__(self)
        self.begin(objects, this, "IPluginCreator")
        self._read()

    def create_plugin(self, name: str, field_collection: Any) -> Any:
        """Create a plugin from fields."""
        with (
            self.objects.memory.lend(name.encode() + b"\0") as (called,),
            lent_fields(self.objects.memory, field_collection) as fields,
        ):
            return plugin_at(self.objects, self.call("createPlugin", _pointer(called), fields))

    def deserialize_plugin(self, name: str, serialized_plugin: Any) -> Any:
        """Create a plugin from serialized data."""
        data = bytes(serialized_plugin)
        with self.objects.memory.lend(name.encode() + b"\0", data) as (called, stored):
            return plugin_at(self.objects, self.call("deserializePlugin", _pointer(called), stored, len(data)))


class NativeCreatorV3(_Creator, IPluginCreatorV3One):
    """An ``IPluginCreatorV3One`` in C++."""

    def __init__(self, objects: Objects, this: int) -> None:
        IPluginCreatorV3One.__init__(self)
        self.begin(objects, this, "IPluginCreatorV3One")
        self._read()

    def create_plugin(self, name: str, field_collection: Any, phase: Any) -> Any:
        """Create a plugin from fields."""
        with (
            self.objects.memory.lend(name.encode() + b"\0") as (called,),
            lent_fields(self.objects.memory, field_collection) as fields,
        ):
            made = self.call("createPlugin", _pointer(called), fields, int(phase))
            return self.objects.proxy(NativeV3, made)


def _pointer(address: int) -> Any:
    return ctypes.cast(address, ctypes.c_char_p)
