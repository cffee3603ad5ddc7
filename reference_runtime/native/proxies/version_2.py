"""Represent C++ plugins of version 2: the base of all proxies, and those for networks with an implicit batch."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v2_ext import IPluginV2Ext, IPluginV2IOExt
from reference_runtime.native.exchange.lent_memory import POISON
from reference_runtime.native.exchange.misuses import MisuseError
from reference_runtime.native.exchange.tensors import addresses, flags, numbers
from reference_runtime.native.proxies.live_attributes import ask_each_time
from reference_runtime.native.proxies.proxy import Proxy
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from reference_runtime.native.proxies.objects import Objects

_MARGIN: Final = 64

_MOST_DIMS: Final = 8
_KIND_BITS: Final = 24
_KINDS: Final = 0x3F
_INTERFACES: Final[dict[int, type[Version2]]] = {}


class Version2(Proxy):
    """The base of the proxies for all interfaces of version 2."""

    bound: type
    kind: int

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        if "kind" in vars(cls):
            _INTERFACES[cls.kind] = cls

    def __init__(self, objects: Objects, this: int) -> None:
        self.bound.__init__(self)
        self.begin(objects, this, self.bound.__name__)
        readers = {
            "num_outputs": lambda: self.call("getNbOutputs"),
            "plugin_type": lambda: self.text("getPluginType"),
            "plugin_version": lambda: self.text("getPluginVersion"),
            "plugin_namespace": lambda: self.text("getPluginNamespace"),
        }
        writers = {"plugin_namespace": lambda value: self.call("setPluginNamespace", value.encode())}
        ask_each_time(self, readers, writers, needed=("plugin_type", "plugin_version"))

    def initialize(self) -> None:
        """Acquire the resources for executions."""
        self.succeed("initialize")

    def terminate(self) -> None:
        """Release what ``initialize`` acquired."""
        self.call("terminate")

    def get_serialization_size(self) -> Any:
        """Return the size of the serialized data in bytes."""
        return self.call("getSerializationSize")

    def serialize(self) -> bytes:
        """Return the serialized data."""
        return serialized(self)

    def clone(self) -> Any:
        """Return a copy."""
        return plugin_at(self.objects, self.call("clone"))

    def destroy(self) -> None:
        """Destroy the C++ object."""
        self.end("destroy")


def plugin_at(objects: Objects, this: int | None) -> Any:
    """Return the proxy of a plugin of version 2; the plugin itself reports its interface."""
    if not this:
        return None
    known = objects.known(this)
    if isinstance(known, Version2):
        return known
    version = objects.abi.call(this, "IPluginV2", "getTensorRTVersion")
    kind = version >> _KIND_BITS & _KINDS
    return objects.proxy(_INTERFACES.get(kind, NativeV2), this)


class NativeV2(Version2, IPluginV2):
    """An ``IPluginV2`` in C++."""

    bound = IPluginV2
    kind = 0

    def get_output_shape(self, index: int, input_shapes: Sequence[Any]) -> Dims | None:
        """Return the shape of an output without the batch; None if its number of dimensions is impossible."""
        with self.objects.memory.lend(self.objects.tensors.dims(input_shapes)) as (shapes,):
            made = self.call("getOutputDimensions", index, shapes, len(input_shapes))
        return Dims(list(made.d[: made.nbDims])) if 0 <= made.nbDims <= _MOST_DIMS else None

    def supports_format(self, dtype: Any, format: Any) -> Any:  # noqa: A002 - TensorRT's name
        """Return whether the plugin supports a type with a format."""
        return self.call("supportsFormat", int(dtype), int(format))

    def configure_with_format(self, inputs: Sequence[Any], outputs: Sequence[Any], *kinds: Any) -> None:
        """Pass the shapes, the type, the format and the largest batch to the plugin."""
        tensors = self.objects.tensors
        with self.objects.memory.lend(tensors.dims(inputs), tensors.dims(outputs)) as (input_array, output_array):
            self.call("configureWithFormat", input_array, len(inputs), output_array, len(outputs), *map(int, kinds))

    def get_workspace_size(self, max_batch_size: int) -> Any:
        """Return the size of the workspace in bytes."""
        return self.call("getWorkspaceSize", max_batch_size)

    def execute_async(self, batch_size: int, inputs: Sequence[int], outputs: Sequence[int], *more: int) -> Any:
        """Enqueue the plugin's work; return its status."""
        with self.objects.memory.lend(addresses(inputs), addresses(outputs)) as (input_array, output_array):
            return self.call("enqueue", batch_size, input_array, output_array, *more)


class NativeV2Ext(NativeV2, IPluginV2Ext):
    """An ``IPluginV2Ext`` in C++."""

    bound = IPluginV2Ext
    kind = 1

    def get_output_data_type(self, index: int, input_types: Sequence[Any]) -> DataType:
        """Return the type of an output."""
        with self.objects.memory.lend(numbers(input_types)) as (types,):
            return DataType(self.call("getOutputDataType", index, types, len(input_types)))

    def is_output_broadcast_across_batch(self, index: int, input_is_broadcasted: Sequence[bool]) -> Any:
        """Return whether all items of a batch share an output; False in TensorRT 11, which lacks the method."""
        if not self.objects.abi.has(self.interface, "isOutputBroadcastAcrossBatch"):
            return False
        with self.objects.memory.lend(flags(input_is_broadcasted)) as (flag_array,):
            return self.call("isOutputBroadcastAcrossBatch", index, flag_array, len(input_is_broadcasted))

    def can_broadcast_input_across_batch(self, index: int) -> Any:
        """Return whether all items of a batch may share an input; False in TensorRT 11, which lacks the method."""
        has = self.objects.abi.has(self.interface, "canBroadcastInputAcrossBatch")
        return self.call("canBroadcastInputAcrossBatch", index) if has else False

    def configure_plugin(self, *arguments: Any) -> None:
        """Pass shapes, types, broadcasts, the format and the largest batch to the plugin."""
        inputs, outputs, input_types, output_types, *broadcasts, format_, batch = arguments
        tensors = self.objects.tensors
        contents = (
            tensors.dims(inputs),
            tensors.dims(outputs),
            numbers(input_types),
            numbers(output_types),
            *map(flags, broadcasts),
        )
        with self.objects.memory.lend(*contents) as (input_array, output_array, *rest):
            self.call(
                "configurePlugin", input_array, len(inputs), output_array, len(outputs), *rest, int(format_), batch
            )

    def attach_to_context(self, *_handles: Any) -> None:
        """Attach the plugin to a context, without cuDNN, cuBLAS and an allocator, as TensorRT 10 does by default."""
        self.call("attachToContext", None, None, None)

    def detach_from_context(self) -> None:
        """Detach the plugin from its context."""
        self.call("detachFromContext")


class NativeV2IOExt(NativeV2Ext, IPluginV2IOExt):
    """An ``IPluginV2IOExt`` in C++."""

    bound = IPluginV2IOExt
    kind = 2

    def configure_plugin(self, *arguments: Any) -> None:
        """Pass the shapes without the batch, the types, formats and scales to the plugin."""
        inputs, outputs = arguments
        tensors = self.objects.tensors
        with self.objects.memory.lend(tensors.descs(inputs), tensors.descs(outputs)) as (input_array, output_array):
            self.call("configurePlugin/2", input_array, len(inputs), output_array, len(outputs))

    def supports_format_combination(self, pos: int, in_out: Sequence[Any], num_inputs: int) -> Any:
        """Return whether the plugin supports the type and format at a position."""
        with self.objects.memory.lend(self.objects.tensors.descs(in_out)) as (described,):
            return self.call("supportsFormatCombination", pos, described, num_inputs, len(in_out) - num_inputs)


def serialized(plugin: Proxy) -> bytes:
    """Return a plugin's serialized data.

    Raises:
        MisuseError: The plugin wrote outside of the announced number of bytes.
    """
    size = plugin.call("getSerializationSize")
    memory = (ctypes.c_ubyte * (size + 2 * _MARGIN))()
    ctypes.memset(memory, POISON, ctypes.sizeof(memory))
    plugin.call("serialize", ctypes.addressof(memory) + _MARGIN)
    raw, margin = bytes(memory), bytes([POISON]) * _MARGIN
    if not (raw.startswith(margin) and raw.endswith(margin)):
        raise MisuseError(f"serialize wrote outside of the {size} bytes that getSerializationSize announced")
    return raw[_MARGIN:-_MARGIN]
