"""Represent C++ plugins of version 2 with dynamic shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.native.exchange.tensors import addresses, numbers
from reference_runtime.native.proxies.version_2 import Version2
from reference_runtime.values.enums import DataType


class NativeV2Dynamic(Version2, IPluginV2DynamicExt):
    """An ``IPluginV2DynamicExt`` in C++.

    TensorRT's Python bindings leave ``attachToContext`` out, so no other code of this runtime calls it. The proxy calls
    it, without handles, before ``configurePlugin`` of an object that was initialized or cloned from one that was.
    Otherwise it calls it before ``enqueue``. It calls ``detachFromContext`` before ``terminate`` and ``destroy``.
    """

    bound = IPluginV2DynamicExt
    kind = 3
    _attached = False
    _executes = False

    def get_output_datatype(self, index: int, input_types: Sequence[Any]) -> DataType:
        """Return the type of an output."""
        with self.objects.memory.lend(numbers(input_types)) as (types,):
            return DataType(self.call("getOutputDataType", index, types, len(input_types)))

    def get_output_dimensions(self, index: int, inputs: Sequence[Any], builder: Any) -> Any:
        """Return the shape of an output."""
        expressions = self.objects.expressions
        with self.objects.memory.lend(expressions.shapes(inputs)) as (input_array,):
            shape = self.call(
                "getOutputDimensions/2", index, input_array, len(inputs), expressions.lend_builder(builder)
            )
            return expressions.read_shape(shape.nbDims, list(shape.d))

    def supports_format_combination(self, pos: int, in_out: Sequence[Any], num_inputs: int) -> Any:
        """Return whether the plugin supports the type and format at a position."""
        with self.objects.memory.lend(self.objects.tensors.descs(in_out)) as (described,):
            return self.call("supportsFormatCombination", pos, described, num_inputs, len(in_out) - num_inputs)

    def configure_plugin(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Pass the shapes, types and formats to the plugin."""
        if self._executes:
            self._attach()
        tensors = self.objects.tensors
        contents = tensors.dynamic_descs(inputs), tensors.dynamic_descs(outputs)
        with self.objects.memory.lend(*contents) as (input_array, output_array):
            self.call("configurePlugin/2", input_array, len(inputs), output_array, len(outputs))

    def get_workspace_size(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """Return the size of the workspace in bytes."""
        tensors = self.objects.tensors
        with self.objects.memory.lend(tensors.descs(inputs), tensors.descs(outputs)) as (input_array, output_array):
            return self.call("getWorkspaceSize/2", input_array, len(inputs), output_array, len(outputs))

    def enqueue(self, input_desc: Sequence[Any], output_desc: Sequence[Any], *rest: Any) -> None:
        """Enqueue the plugin's work.

        Raises:
            StatusError: The plugin returned an error code.
        """
        inputs, outputs, workspace, stream = rest
        self._attach()
        tensors = self.objects.tensors
        contents = (tensors.descs(input_desc), tensors.descs(output_desc), addresses(inputs), addresses(outputs))
        with self.objects.memory.lend(*contents) as places:
            self.succeed("enqueue/2", *places, workspace, stream)

    def initialize(self) -> None:
        """Acquire the resources for executions."""
        super().initialize()
        self._executes = True

    def clone(self) -> Any:
        """Return a copy, which executes if this object does."""
        made = super().clone()
        if isinstance(made, NativeV2Dynamic):
            made._executes = self._executes  # noqa: SLF001 - an object of the same class
        return made

    def terminate(self) -> None:
        """Release what ``initialize`` acquired."""
        self._detach()
        super().terminate()

    def destroy(self) -> None:
        """Destroy the C++ object."""
        self._detach()
        super().destroy()

    def _attach(self) -> None:
        if not self._attached:
            self._attached = True
            self.call("attachToContext", None, None, None)

    def _detach(self) -> None:
        if self._attached:
            self._attached = False
            self.call("detachFromContext")
