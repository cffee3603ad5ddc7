"""Represent C++ plugins of version 3: the plugin, and its capabilities, which may be the same C++ object."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.interfaces.v3 import (
    IPluginV3,
    IPluginV3OneBuild,
    IPluginV3OneBuildV2,
    IPluginV3OneCore,
    IPluginV3OneRuntime,
)
from reference_runtime.native.abi.slots import DELETE, text
from reference_runtime.native.exchange.fields import insist_on_lasting, read_fields
from reference_runtime.native.exchange.lent_memory import UNSET
from reference_runtime.native.exchange.misuses import MisuseError
from reference_runtime.native.exchange.tensors import addresses, numbers
from reference_runtime.native.proxies.live_attributes import ask_each_time
from reference_runtime.native.proxies.proxy import Proxy
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from reference_runtime.native.proxies.objects import Objects

_UNSET: Final = int.from_bytes(bytes([UNSET]) * 4, "little")
"""The value of a type or tactic that a plugin has not written yet."""


class NativeV3(Proxy, IPluginV3):
    """An ``IPluginV3`` in C++."""

    def __init__(self, objects: Objects, this: int) -> None:
        IPluginV3.__init__(self)
        self.begin(objects, this, "IPluginV3")
        self._parts: dict[int, Any] = {}

    def get_capability_interface(self, kind: Any) -> Any:
        """Return a capability; None for a null pointer. Its proxy depends on the kind that it reports itself.

        Raises:
            MisuseError: It reports a kind that is unknown, or is no capability's.
        """
        address = self.call("getCapabilityInterface", int(kind))
        if not address:
            return None
        part = self._parts.get(address)
        if part is None:
            info = self.objects.abi.call(address, "IVersionedInterface", "getInterfaceInfo")
            base = _capability(text(info.kind) or "", info.major)
            part = self._parts[address] = self.objects.class_of(base, address)(self.objects, address)
        return part

    def clone(self) -> Any:
        """Return a copy."""
        return self.objects.proxy(NativeV3, self.call("clone"))

    def destroy(self) -> None:
        """Destroy the C++ object."""
        self.end(DELETE)
        for part in self._parts.values():
            part.this = 0


def _capability(kind: str, major: int) -> type[Any]:
    proxies: dict[str, type[Any]] = {
        "PLUGIN_V3ONE_CORE": NativeCore,
        "PLUGIN_V3ONE_BUILD": NativeBuild if major < 2 else NativeBuildV2,  # noqa: PLR2004 - version 2 has aliases
        "PLUGIN_V3ONE_RUNTIME": NativeRuntime,
    }
    if kind not in proxies:
        raise MisuseError(f"getCapabilityInterface returned an object that reports the kind {kind!r} {major}")
    return proxies[kind]


class NativeCore(Proxy, IPluginV3OneCore):
    """The core capability in C++."""

    def __init__(self, objects: Objects, this: int) -> None:
        IPluginV3OneCore.__init__(self)
        self.begin(objects, this, "IPluginV3OneCore")
        readers = {
            "IPluginV3OneCore.plugin_name": lambda: self.text("getPluginName"),
            "IPluginV3OneCore.plugin_version": lambda: self.text("getPluginVersion"),
            "IPluginV3OneCore.plugin_namespace": lambda: self.text("getPluginNamespace"),
        }
        ask_each_time(self, readers, needed=readers.keys())


class _Build(Proxy):
    """The base of the proxies for both build capabilities."""

    bound: type

    def __init__(self, objects: Objects, this: int) -> None:
        self.bound.__init__(self)
        self.begin(objects, this, self.bound.__name__)
        readers = {
            "IPluginV3OneBuild.num_outputs": lambda: self.call("getNbOutputs"),
            "IPluginV3OneBuild.format_combination_limit": lambda: self.call("getFormatCombinationLimit"),
            "IPluginV3OneBuild.metadata_string": lambda: self.text("getMetadataString"),
            "IPluginV3OneBuild.timing_cache_id": lambda: self.text("getTimingCacheID"),
        }
        ask_each_time(self, readers)

    def get_output_data_types(self, input_types: Sequence[Any]) -> list[DataType]:
        """Return the types of all outputs."""
        count = max(self.call("getNbOutputs"), 0)
        with self.objects.memory.lend(_unset(count), numbers(input_types), writable=1) as (output_array, input_array):
            self.succeed("getOutputDataTypes", output_array, count, input_array, len(input_types))
            types = _numbers_at(output_array, count)
        if _UNSET in types:
            raise MisuseError(f"getOutputDataTypes left the type of output {types.index(_UNSET)} unset")
        return [DataType(each) for each in types]

    def get_output_shapes(self, inputs: Sequence[Any], shape_inputs: Sequence[Any], builder: Any) -> list[Any]:
        """Return the shapes of all outputs."""
        expressions = self.objects.expressions
        count = max(self.call("getNbOutputs"), 0)
        contents = (expressions.no_shapes(count), expressions.shapes(inputs), expressions.shapes(shape_inputs))
        with self.objects.memory.lend(*contents, writable=1) as (output_array, input_array, values):
            lengths = (input_array, len(inputs), values, len(shape_inputs), output_array, count)
            self.succeed("getOutputShapes", *lengths, expressions.lend_builder(builder))
            return expressions.read_shapes(_bytes_at(output_array, len(contents[0])))

    def supports_format_combination(self, pos: int, in_out: Sequence[Any], num_inputs: int) -> Any:
        """Return whether the plugin supports the type and format at a position."""
        with self.objects.memory.lend(self.objects.tensors.dynamic_descs(in_out)) as (described,):
            return self.call("supportsFormatCombination", pos, described, num_inputs, len(in_out) - num_inputs)

    def configure_plugin(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Pass the shapes, types and formats to the plugin."""
        tensors = self.objects.tensors
        contents = tensors.dynamic_descs(inputs), tensors.dynamic_descs(outputs)
        with self.objects.memory.lend(*contents) as (input_array, output_array):
            self.succeed("configurePlugin", input_array, len(inputs), output_array, len(outputs))

    def get_workspace_size(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """Return the size of the workspace in bytes."""
        tensors = self.objects.tensors
        contents = tensors.dynamic_descs(inputs), tensors.dynamic_descs(outputs)
        with self.objects.memory.lend(*contents) as (input_array, output_array):
            return self.call("getWorkspaceSize", input_array, len(inputs), output_array, len(outputs))

    def get_valid_tactics(self) -> list[int]:
        """Return the numbers of the tactics from which TensorRT can choose."""
        count = max(self.call("getNbTactics"), 0)
        if not count:
            return []
        with self.objects.memory.lend(_unset(count), writable=1) as (made,):
            self.succeed("getValidTactics", made, count)
            tactics = _numbers_at(made, count)
        if _UNSET in tactics:
            raise MisuseError(f"getValidTactics left tactic {tactics.index(_UNSET)} of {count} unset")
        return tactics


class NativeBuild(_Build, IPluginV3OneBuild):
    """The build capability in C++."""

    bound = IPluginV3OneBuild


class NativeBuildV2(_Build, IPluginV3OneBuildV2):
    """The build capability whose outputs may share the memory of inputs."""

    bound = IPluginV3OneBuildV2

    def get_aliased_input(self, output: int) -> Any:
        """Return the input whose memory an output shares, or -1."""
        return self.call("getAliasedInput", output)


class NativeRuntime(Proxy, IPluginV3OneRuntime):
    """The runtime capability in C++."""

    def __init__(self, objects: Objects, this: int) -> None:
        IPluginV3OneRuntime.__init__(self)
        self.begin(objects, this, "IPluginV3OneRuntime")

    def set_tactic(self, tactic: int) -> None:
        """Pass the chosen tactic to the plugin."""
        self.succeed("setTactic", tactic)

    def on_shape_change(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Pass the shapes of the next executions to the plugin."""
        tensors = self.objects.tensors
        with self.objects.memory.lend(tensors.descs(inputs), tensors.descs(outputs)) as (input_array, output_array):
            self.succeed("onShapeChange", input_array, len(inputs), output_array, len(outputs))

    def enqueue(self, input_desc: Sequence[Any], output_desc: Sequence[Any], *rest: Any) -> None:
        """Enqueue the plugin's work.

        Raises:
            StatusError: The plugin returned an error code.
        """
        inputs, outputs, workspace, stream = rest
        tensors = self.objects.tensors
        contents = (tensors.descs(input_desc), tensors.descs(output_desc), addresses(inputs), addresses(outputs))
        with self.objects.memory.lend(*contents) as places:
            self.succeed("enqueue", *places, workspace, stream)

    def attach_to_context(self, resource_context: Any) -> Any:
        """Return a copy of the whole plugin that belongs to an execution context."""
        contexts = self.objects.contexts
        lent = 0 if contexts is None else contexts.lend(resource_context)
        return self.objects.proxy(NativeV3, self.call("attachToContext", lent))

    def get_fields_to_serialize(self) -> Any:
        """Return the fields from which the creator can recreate the plugin.

        Raises:
            MisuseError: The fields are not valid after the call.
        """
        address = self.call("getFieldsToSerialize")
        if address:
            insist_on_lasting(address, self.objects.heap.wrong_with)
        return read_fields(self.objects.abi.structures, address)


def _unset(count: int) -> bytes:
    return struct.pack(f"<{count}i", *[_UNSET] * count)


def _bytes_at(address: int, size: int) -> bytes:
    return ctypes.string_at(address, size)


def _numbers_at(address: int, count: int) -> list[int]:
    return list(struct.unpack(f"<{count}i", _bytes_at(address, 4 * count)))
