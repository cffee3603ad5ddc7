"""EngineInspector: an engine's layers and bindings, as lines of text or as JSON with TensorRT's keys.

The profiling verbosity of the engine's build decides the content: no layers, their names, or all facts about them. With
an execution context the dimensions are those of its shapes. Without it wildcards are -1.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.application.error_recorder import ErrorsOf, error_recorder_of
from reference_runtime.bound.bound_class import made, pybind11_object, state
from reference_runtime.bound.conversions import instance, int32, optional
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.engine.context.context import IExecutionContext, live_context
from reference_runtime.values.enums import TensorLocation
from reference_runtime.values.enums_building import LayerInformationFormat, ProfilingVerbosity
from reference_runtime.values.refusals import Refused, complain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.plan import LayerPlan
    from reference_runtime.values.descriptions import Extents

_FORMAT: Final = instance(LayerInformationFormat)
_TYPES: Final = {"FLOAT": "FP32", "HALF": "FP16", "INT8": "Int8", "INT32": "Int32", "INT64": "Int64", "BOOL": "Bool"}
_LAYER_TYPES: Final = {"PLUGIN_V2": "PluginV2", "PLUGIN_V3": "PluginV3"}


def new_inspector(live: LiveEngine, engine: object) -> EngineInspector:
    """Return an inspector; it keeps ``engine`` alive, as in the genuine bindings."""
    around = live.around
    return made(
        EngineInspector,
        _live=live,
        _parent=engine,
        _gate=around.gate,
        _logger=around.logger,
        execution_context=None,
    )


def _live(inspector: EngineInspector) -> LiveEngine:
    live: LiveEngine = state(inspector)["_live"]
    return live


def _set_context(inspector: EngineInspector, context: IExecutionContext | None) -> None:
    if context is not None and live_context(context).engine is not _live(inspector):
        complain(
            "IEngineInspector::setExecutionContext",
            Refused("the context is one of another engine"),
            to=ErrorsOf(inspector),
        )
        return
    state(inspector)["execution_context"] = context


class EngineInspector(pybind11_object, bound=True):
    """Describes an engine's layers."""

    error_recorder = error_recorder_of("EngineInspector")
    execution_context = accessor(
        "(arg0: EngineInspector, arg1: IExecutionContext) -> bool",
        lambda self: state(self)["execution_context"],
        _set_context,
        optional(instance(IExecutionContext)),
    )

    @bound(
        Overload(
            "(self: EngineInspector, layer_index: typing.SupportsInt, format: LayerInformationFormat) -> str",
            int32,
            _FORMAT,
        )
    )
    def get_layer_information(self, index: int, form: LayerInformationFormat) -> str:
        """Return the description of one layer; empty, with an error, if the layer does not exist."""
        layers = _live(self).plan.layers
        if not 0 <= index < len(layers):
            why = Refused(f"there is no layer {index}; the engine has {len(layers)}")
            complain("IEngineInspector::getLayerInformation", why, to=ErrorsOf(self))
            return ""
        described = _described(self, layers[index], _extents(self))
        return json.dumps(described, indent=2) if form == LayerInformationFormat.JSON else _line(described)

    @bound(Overload("(self: EngineInspector, format: LayerInformationFormat) -> str", _FORMAT))
    def get_engine_information(self, form: LayerInformationFormat) -> str:
        """Return the descriptions of all layers, and the names of the inputs and outputs."""
        plan, extents = _live(self).plan, _extents(self)
        silent = plan.traits.profiling_verbosity == ProfilingVerbosity.NONE
        layers = [] if silent else [_described(self, layer, extents) for layer in plan.layers]
        bindings = [tensor.name for tensor in plan.io]
        if form == LayerInformationFormat.JSON:
            return json.dumps({"Layers": layers, "Bindings": bindings}, indent=2)
        return "\n".join(["Layers:", *map(_line, layers), "", "Bindings:", *bindings, ""])


def _extents(inspector: EngineInspector) -> Sequence[Extents]:
    """Return the dimensions of every tensor, as far as they are known."""
    context = state(inspector)["execution_context"]
    if context is None:
        return [tensor.desc.dims for tensor in _live(inspector).plan.tensors]
    try:
        return [facts.dims for facts in live_context(context).facts()]
    except Refused as refused:
        complain("IEngineInspector::getEngineInformation", refused, to=ErrorsOf(inspector))
        return [tensor.desc.dims for tensor in _live(inspector).plan.tensors]


def _described(inspector: EngineInspector, layer: LayerPlan, extents: Sequence[Extents]) -> Any:
    """Return the description of a layer, as detailed as the verbosity allows: an empty text, its name, or a dict."""
    verbosity = _live(inspector).plan.traits.profiling_verbosity
    if verbosity == ProfilingVerbosity.NONE:
        return ""
    if verbosity != ProfilingVerbosity.DETAILED:
        return layer.name
    return {
        "Name": layer.name,
        "LayerType": _LAYER_TYPES.get(layer.kind, layer.kind.title().replace("_", "")),
        "Inputs": [_tensor(inspector, layer, place, extents) for place in range(len(layer.inputs))],
        "Outputs": [
            _tensor(inspector, layer, place, extents) for place in range(len(layer.inputs), len(layer.tensors))
        ],
        "ParameterType": layer.kind.title().replace("_", ""),
        **_parameters(layer),
        "StreamId": 0,
        "Metadata": layer.metadata,
    }


def _parameters(layer: LayerPlan) -> dict[str, Any]:
    if layer.plugin is None:
        return dict(layer.operation or {})
    return {
        "PluginType": layer.plugin.type,
        "PluginVersion": layer.plugin.version,
        "PluginNamespace": layer.plugin.namespace,
        "PluginMetadata": layer.plugin.metadata or "",
        "WorkspaceSize": layer.workspace,
        "TacticValue": f"{layer.plugin.tactic & (2**64 - 1):#018x}",
    }


def _tensor(inspector: EngineInspector, layer: LayerPlan, position: int, extents: Sequence[Extents]) -> dict[str, Any]:
    place = layer.tensors[position]
    tensor = _live(inspector).plan.tensors[place]
    desc = layer.chosen[position]
    dtype = _TYPES.get(desc.type.name, desc.type.name)
    linear = desc.format.name == "LINEAR"
    return {
        "Name": tensor.name,
        "Location": "Host" if tensor.location == TensorLocation.HOST else "Device",
        "Dimensions": list(extents[place]),
        "Format/Datatype": f"Row major linear {dtype} format" if linear else f"{desc.format.name} {dtype}",
    }


def _line(described: Any) -> str:
    """Return a description as one line: ``Name: x, LayerType: y, Inputs: [ { Name: ...`` ``} ], ...``."""
    if isinstance(described, dict):
        return ", ".join(f"{key}: {_value(value)}" for key, value in described.items())
    return str(described)


def _value(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[ " + ", ".join("{ " + _line(item) + " }" for item in value) + "]"
    if isinstance(value, list):
        return "[" + ",".join(str(item) for item in value) + "]"
    return str(value)
