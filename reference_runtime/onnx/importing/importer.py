"""Make a network from a model: its inputs, one layer or several for each node, its outputs.

Theory. A node whose type is in `operators.IMPORTED` becomes layers. They are TensorRT's own layers if dimensions may be
computed from them (constants, casts, shapes, reshapes, identities). Otherwise the package ``onnx.reference`` computes
the layer. All other nodes are plugins, also a node whose operator a plugin replaces. Errors about single nodes are
collected, as in NVIDIA's parser. The first error while layers are added ends the import.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.calling.gate.gate import Phase
from reference_runtime.interfaces.v3 import IPluginV3
from reference_runtime.network.graph.graph_parts import Layer, Tensor
from reference_runtime.network.graph.output_types import output_types
from reference_runtime.network.public.plugin_layers import plugin_layer, request_for
from reference_runtime.onnx.importing import creating
from reference_runtime.onnx.importing.flattening import Step, node_status, steps
from reference_runtime.onnx.importing.operators import IMPORTED, REFUSED
from reference_runtime.onnx.importing.status import ImportFailed, Status
from reference_runtime.onnx.importing.translating import Translator
from reference_runtime.onnx.importing.weights import constant
from reference_runtime.operations.cast import Identity
from reference_runtime.operations.onnx.library import data_type, library
from reference_runtime.values.enums import DataType, ErrorCode
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.onnx.importing.creating import PluginUse
    from reference_runtime.operations import Operation
    from reference_runtime.registry.registry import IPluginRegistry

_MOST_DOMAINS: Final = 1024
_OLDEST: Final = 7
_DEFAULT_DOMAINS: Final = ("", "ai.onnx")
_METADATA: Final = 4000
_OLD: Final = (
    "TensorRT supports ONNX graphs generated with at least opset 7. "
    "Models using older opsets are not guaranteed to work."
)


class Importer:
    """The import of one model into a network."""

    def __init__(
        self,
        graph: Graph,
        registry: IPluginRegistry,
        *,
        prefer_plugins: bool,
        say: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        self.graph = graph
        self.errors: list[Status] = []
        self.outputs_of: dict[str, list[Tensor]] = {}
        """The outputs of each node, by the node's name."""
        self.uses: dict[Layer, PluginUse] = {}
        """The creator and fields of each plugin layer."""
        self.nodes: dict[Layer, Step] = {}
        self._registry = registry
        self._prefer_plugins = prefer_plugins
        self._say = say
        self._warn = warn
        self._tensors: dict[str, Tensor] = {}
        self._weights: dict[str, Any] = {}
        self._loaded: Mapping[str, bytes] = {}
        self._names: dict[str, int] = {}

    def run(self, model: Any, loaded: Mapping[str, bytes] | None = None) -> None:
        """Import a model, or raise `ImportFailed`; ``loaded`` replaces the data of initializers, by name."""
        self._loaded = loaded or {}
        translator = Translator(self._opset(model), self._rank_of)
        self._import_inputs(model.graph)
        self._weights = {str(tensor.name): tensor for tensor in model.graph.initializer}
        for step in steps(model, self._is_registered):
            self._check(step)
            if not self.errors:
                self._import(step, translator)
        if self.errors:
            raise ImportFailed(self.errors.pop())
        for output in model.graph.output:
            self._mark(output)

    def _opset(self, model: Any) -> int:
        imports = list(model.opset_import)
        if len(imports) > _MOST_DOMAINS:
            why = "Model contains more than 1024 domains! Parsing will halt for security reasons."
            raise ImportFailed(Status(ErrorCode.UNSUPPORTED_GRAPH, why, "importModel"))
        versions = [int(entry.version) for entry in imports if entry.domain in _DEFAULT_DOMAINS]
        newest = int(library("defs").onnx_opset_version())
        version = versions[0] if versions else newest
        if version < _OLDEST:
            self._warn(_OLD)
        if version > newest:
            why = f"the model is of opset {version}, and the installed package onnx knows opsets up to {newest}"
            raise ImportFailed(Status(ErrorCode.UNSUPPORTED_GRAPH, why, "importModel"))
        return version

    def _import_inputs(self, graph: Any) -> None:
        initialized = {str(tensor.name) for tensor in graph.initializer}
        for entry in graph.input:
            if entry.name not in initialized:
                self._import_input(entry)
        if self.errors:
            raise ImportFailed(self.errors.pop())

    def _import_input(self, entry: Any) -> None:
        name, tensor_type = str(entry.name), entry.type.tensor_type
        dtype = data_type(int(tensor_type.elem_type))
        if dtype is None:
            why = (
                'Assertion failed: convertDtype(onnxDtype.elem_type(), &trtDtype) && "Failed to convert ONNX date type'
            )
            self.errors.append(
                Status(ErrorCode.UNSUPPORTED_NODE, f'{why} to TensorRT data type."', "importInput", file=name)
            )
            return
        dims = tuple(int(dim.dim_value) if dim.HasField("dim_value") else -1 for dim in tensor_type.shape.dim)
        tensor = Tensor(name, dtype, dims)
        tensor.dimension_names.update(
            {axis: str(dim.dim_param) for axis, dim in enumerate(tensor_type.shape.dim) if dim.dim_param}
        )
        self.graph.add_input(tensor)
        self._tensors[name] = tensor

    def _is_registered(self, node: Any) -> bool:
        return creating.find(self._registry, node) is not None

    def _is_a_plugin(self, node: Any) -> bool:
        if str(node.op_type) not in IMPORTED:
            return True
        return creating.takes_the_place(self._registry, node, always=self._prefer_plugins)

    def _check(self, step: Step) -> None:
        """Record an error of a node that depends on no other node."""
        kind = str(step.node.op_type)
        if kind in REFUSED:
            self.errors.append(
                node_status(step, ErrorCode.UNSUPPORTED_NODE, "false", f"check{kind}", "onnxOpCheckers.cpp")
            )
        elif kind not in IMPORTED and not self._is_registered(step.node):
            func = "checkFallbackPluginImporter"
            self.errors.append(
                node_status(step, ErrorCode.INVALID_NODE, creating.NOT_FOUND, func, "onnxOpCheckers.cpp")
            )

    def _import(self, step: Step, translator: Translator) -> None:
        operands = [self._operand(step, str(name)) for name in step.node.input]
        try:
            if self._is_a_plugin(step.node):
                outputs = self._import_plugin(step, operands)
            else:
                outputs = self._import_operator(step, operands, translator)
        except Refused as refused:
            why = f"Invalid Node - {step.name}\n{refused}"
            raise ImportFailed(node_status(step, ErrorCode.INVALID_NODE, why, "parseNode")) from refused
        self._register(step, outputs)

    def _operand(self, step: Step, name: str) -> Tensor | None:
        """Return a tensor by its name, for an initializer a new constant; None for an input that was left out."""
        if not name:
            return None
        if name not in self._tensors:
            if name not in self._weights:
                why = "Assertion failed: ctx->tensors().count(inputName): Node input was not registered."
                raise ImportFailed(node_status(step, ErrorCode.INVALID_GRAPH, why, "parseNode"))
            self._tensors[name] = self._constant(name)
        return self._tensors[name]

    def _constant(self, name: str) -> Tensor:
        operation = constant(self._weights[name], self._loaded.get(name))
        if operation is None:
            why = f"Failed to import initializer {name!r}: TensorRT has no type for its elements."
            raise ImportFailed(Status(ErrorCode.UNSUPPORTED_NODE, why, "parseGraph"))
        (tensor,) = self._add(name, operation, [])
        tensor.name = name
        return tensor

    def _import_plugin(self, step: Step, operands: Sequence[Tensor | None]) -> list[Tensor]:
        name, version, namespace = creating.key_of(step.node)
        self._say(f"Searching for plugin: {name}, plugin_version: {version}, plugin_namespace: {namespace}")
        there = [operand for operand in operands if operand is not None]
        if len(there) < len(operands):
            raise Refused("an input of the plugin was left out, and a layer of this runtime needs all")
        gate, creator = self.graph.gate, creating.find(self._registry, step.node)
        shaping = creating.shape_places(step, creator)
        with gate.during(Phase.NETWORK):
            make_request = functools.partial(request_for, self.graph, aot=creating.wants_aot(step.node))
            plugin, use = creating.make(gate, step, creator, make_request)
            for field in use.unset:
                default = "Ensure that the plugin creator has a default value defined or the engine may fail to build."
                self._warn(f"Attribute {field} not found in plugin node! {default}")
            self._say(f"Successfully created plugin: {name}")
            try:
                data = [tensor for place, tensor in enumerate(there) if place not in shaping]
                shapes = [tensor for place, tensor in enumerate(there) if place in shaping]
                kind = LayerType.PLUGIN_V3 if isinstance(plugin, IPluginV3) else LayerType.PLUGIN_V2
                layer = plugin_layer(self.graph, data, shapes, plugin, kind)
            finally:
                creating.let_go(gate, creator, plugin)
        self._settle(step, layer)
        self.uses[layer] = use
        return layer.outputs

    def _import_operator(self, step: Step, operands: Sequence[Tensor | None], translator: Translator) -> list[Tensor]:
        outputs: list[Tensor] = []
        for operation, chosen in translator.translated(step, operands):
            inputs = [outputs[-1] if place is None else place for place in chosen]
            types = output_types(self.graph, operation, [tensor.dtype for tensor in inputs])
            layer = Layer("", inputs, [Tensor("", dtype) for dtype in types], operation.kind, operation=operation)
            self._settle(step, layer)
            outputs = layer.outputs
        return outputs

    def _rank_of(self, tensor: Tensor) -> int:
        facts = self.graph.facts(tensor)
        return 0 if facts is None else len(facts.dims)

    def _add(self, name: str, operation: Operation, inputs: list[Tensor]) -> list[Tensor]:
        types = output_types(self.graph, operation, [tensor.dtype for tensor in inputs])
        unique = self._unique(name)
        outputs = [Tensor(f"{unique}_output", dtype) for dtype in types]
        self.graph.add_layer(Layer(unique, inputs, outputs, operation.kind, operation=operation))
        return outputs

    def _settle(self, step: Step, layer: Layer) -> None:
        """Put a layer into the network under its node's name."""
        layer.name = self._unique(step.name)
        around = "".join(f" | {function}" for function in reversed(step.stack))
        origin, half = f"[ONNX Layer: {step.name}{around}]", _METADATA // 2
        layer.metadata = origin if len(origin) <= _METADATA else f"{origin[:half]} ... {origin[-half:]}"
        for place, tensor in enumerate(layer.outputs):
            tensor.name = f"{layer.name}_output_{place}"
        self.graph.add_layer(layer)
        self.nodes[layer] = step

    def _unique(self, name: str) -> str:
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return self._unique(f"{name}_{count}") if count else name

    def _register(self, step: Step, outputs: Sequence[Tensor]) -> None:
        names = [str(name) for name in step.node.output if name]
        self.outputs_of[step.name] = list(outputs)
        if len(names) != len(outputs):
            why = "Node has more output tensors than TRT expected, expected output size is"
            why = f"{why} {len(outputs)}, actual output size is {len(names)}."
            raise ImportFailed(node_status(step, ErrorCode.INVALID_GRAPH, why, "parseNode", "ModelImporter.cpp"))
        for name, tensor in zip(names, outputs, strict=True):
            tensor.name = name
            self._tensors[name] = tensor
            if self.graph.facts(tensor) is None:
                problem = self.graph.problem(tensor) or f"the shape of {name} cannot be worked out"
                why = f"Invalid Node - {step.name}\n{problem}"
                raise ImportFailed(node_status(step, ErrorCode.INVALID_NODE, why, "parseNode", "ModelImporter.cpp"))

    def _mark(self, output: Any) -> None:
        name = str(output.name)
        if name not in self._tensors and name in self._weights:
            self._tensors[name] = self._constant(name)
        if name not in self._tensors:
            raise ImportFailed(Status(ErrorCode.INVALID_GRAPH, "The output tensor was not registered.", "importModel"))
        tensor = self._tensors[name]
        if tensor.is_input:
            tensor.name = f"__{name}"
            (tensor,) = self._add(f"ONNXTRT_identity_{name}", Identity(), [tensor])
            tensor.name = name
        if not tensor.is_output:
            tensor.is_output = True
            self.graph.outputs.append(tensor)
            self.graph.version += 1
        self._check_output(tensor, data_type(int(output.type.tensor_type.elem_type)))

    @staticmethod
    def _check_output(tensor: Tensor, dtype: DataType | None) -> None:
        if dtype is None:
            why = "Failed to convert ONNX date type to TensorRT data type."
            raise ImportFailed(Status(ErrorCode.UNSUPPORTED_NODE, why, "importModel"))
        if tensor.dtype == DataType.INT32 and dtype != DataType.INT32:
            why = "For INT32 tensors, the output type must also be INT32."
            raise ImportFailed(Status(ErrorCode.UNSUPPORTED_NODE, why, "importModel"))
