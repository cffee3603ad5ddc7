"""Encode a plan's records as JSON, and decode them, with a limit on each value."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.errors import ExpressionError
from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.plan.records import (
    PLUGIN_V3,
    KernelPlan,
    LayerPlan,
    Plan,
    PluginPlan,
    ProfilePlan,
    TensorPlan,
    Traits,
)
from reference_runtime.shapes import expression_nodes
from reference_runtime.values import checked_json as checked
from reference_runtime.values import formats
from reference_runtime.values.checked_json import PlanError, require
from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import DataType, PluginFieldType, TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.values.enums_building import EngineCapability, HardwareCompatibilityLevel, ProfilingVerbosity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_AUX_STREAMS: Final = 1 << 10
_INT32: Final = (1 << 31) - 1
_INT64: Final = (1 << 63) - 1
_LAUNCH: Final = 7
"""Three dimensions of the grid, three of a block, and shared memory."""


def encode(plan: Plan) -> bytes:
    """Return the metadata of a plan, always the same text for the same plan; raise `PlanError` for invalid values."""
    return json.dumps(_plan(plan), sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def blobs_of(plan: Plan) -> list[bytes]:
    """Return the serialized data of plugins, the weights and the kernels, in the order of the layers."""
    blobs = []
    for layer in plan.layers:
        blobs += [field.data for field in layer.fields] if layer.kind == PLUGIN_V3 else [layer.payload]
        blobs += [layer.kernel.image] if layer.kernel is not None else []
    return blobs


def decode(metadata: bytes, blobs: Sequence[bytes]) -> Plan:
    """Return the plan of these metadata and blobs, or raise `PlanError`."""
    fields = checked.record(checked.parse(metadata), "layers", "name", "profiles", "tensors", "traits")
    left = iter(blobs)
    plan = Plan(
        name=checked.text(fields["name"]),
        tensors=checked.items(fields["tensors"], _to_tensor),
        layers=checked.items(fields["layers"], lambda layer: _to_layer(layer, left)),
        profiles=checked.items(fields["profiles"], _to_profile),
        traits=_to_traits(fields["traits"]),
    )
    require(next(left, None) is None, "there are more blobs than the layers have")
    return plan


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "name": checked.text(plan.name),
        "tensors": [_tensor(tensor) for tensor in plan.tensors],
        "layers": [_layer(layer) for layer in plan.layers],
        "profiles": [{"ranges": profile.ranges, "values": profile.values} for profile in plan.profiles],
        "traits": _traits(plan.traits),
    }


def _traits(traits: Traits) -> dict[str, Any]:
    return {
        "aux_streams": traits.aux_streams,
        "capability": int(traits.capability),
        "hardware_compatibility": int(traits.hardware_compatibility),
        "refittable": traits.refittable,
        "tactic_sources": traits.tactic_sources,
        "verbosity": int(traits.profiling_verbosity),
        **({"max_batch": traits.max_batch} if traits.max_batch else {}),
    }


def _to_traits(data: object) -> Traits:
    of_a_batch = ("max_batch",) if isinstance(data, dict) and "max_batch" in data else ()
    fields = checked.record(
        data,
        *("aux_streams", "capability", "hardware_compatibility", "refittable", "tactic_sources", "verbosity"),
        *of_a_batch,
    )
    return Traits(
        profiling_verbosity=checked.member(ProfilingVerbosity, fields["verbosity"]),
        capability=checked.member(EngineCapability, fields["capability"]),
        hardware_compatibility=checked.member(HardwareCompatibilityLevel, fields["hardware_compatibility"]),
        tactic_sources=checked.integer(fields["tactic_sources"], 0, _INT32),
        aux_streams=checked.integer(fields["aux_streams"], 0, MAX_AUX_STREAMS),
        refittable=checked.truth(fields["refittable"]),
        max_batch=checked.integer(fields.get("max_batch", 0), 0, _INT32),
    )


def _tensor(tensor: TensorPlan) -> dict[str, Any]:
    return {
        "name": checked.text(tensor.name),
        "mode": int(tensor.mode),
        "desc": _description(tensor.desc),
        "location": int(tensor.location),
        "debug": tensor.debug,
    }


def _to_tensor(data: object) -> TensorPlan:
    fields = checked.record(data, "debug", "desc", "location", "mode", "name")
    return TensorPlan(
        name=checked.text(fields["name"]),
        mode=checked.member(TensorIOMode, fields["mode"]),
        desc=_to_description(fields["desc"]),
        location=checked.member(TensorLocation, fields["location"]),
        debug=checked.truth(fields["debug"]),
    )


def _layer(layer: LayerPlan) -> dict[str, Any]:
    return {
        **({} if layer.kernel is None else {"kernel": _kernel(layer.kernel)}),
        "name": checked.text(layer.name),
        "kind": checked.text(layer.kind),
        "inputs": layer.inputs,
        "outputs": layer.outputs,
        "chosen": [_description(desc) for desc in layer.chosen],
        "workspace": _workspace(layer.workspace),
        "plugin": None if layer.plugin is None else _plugin(layer.plugin),
        "operation": layer.operation,
        "fields": [
            {"name": checked.text(field.name), "type": int(field.type), "length": field.length}
            for field in layer.fields
        ],
        "metadata": checked.text(layer.metadata),
    }


def _kernel(kernel: KernelPlan) -> dict[str, Any]:
    return {"name": checked.text(kernel.name), "launch": kernel.launch, "arguments": kernel.arguments}


def _to_kernel(data: object, blobs: Iterator[bytes]) -> KernelPlan:
    fields = checked.record(data, "arguments", "launch", "name")
    return KernelPlan(
        name=checked.text(fields["name"]),
        image=_next(blobs),
        launch=checked.items(fields["launch"], _expression, exactly=_LAUNCH),
        arguments=checked.items(fields["arguments"], _expression),
    )


def _to_layer(data: object, blobs: Iterator[bytes]) -> LayerPlan:
    compiled = isinstance(data, dict) and "kernel" in data  # only a layer with a kernel has this key
    fields = checked.record(
        data,
        *(("kernel",) if compiled else ()),
        *("chosen", "fields", "inputs", "kind", "metadata", "name", "operation", "outputs", "plugin", "workspace"),
    )
    kind = checked.text(fields["kind"])
    return LayerPlan(
        name=checked.text(fields["name"]),
        kind=kind,
        inputs=checked.items(fields["inputs"], _index),
        outputs=checked.items(fields["outputs"], _index),
        chosen=checked.items(fields["chosen"], _to_description),
        workspace=_workspace(fields["workspace"]),
        plugin=None if fields["plugin"] is None else _to_plugin(fields["plugin"]),
        operation=fields["operation"],
        payload=b"" if kind == PLUGIN_V3 else _next(blobs),
        fields=checked.items(fields["fields"], lambda field: _to_field(field, blobs)),
        kernel=_to_kernel(fields["kernel"], blobs) if compiled else None,
        metadata=checked.text(fields["metadata"]),
    )


def _next(blobs: Iterator[bytes]) -> bytes:
    blob = next(blobs, None)
    if blob is None:
        raise PlanError("there are fewer blobs than the layers have")
    return blob


def _plugin(plugin: PluginPlan) -> dict[str, Any]:
    return {
        "type": checked.text(plugin.type),
        "version": checked.text(plugin.version),
        "namespace": checked.text(plugin.namespace),
        "shapes": plugin.shapes,
        "shape_inputs": plugin.shape_inputs,
        "tactic": plugin.tactic,
        "aliases": plugin.aliases,
        "sizes": plugin.sizes,
        "metadata": None if plugin.metadata is None else checked.text(plugin.metadata),
    }


def _to_plugin(data: object) -> PluginPlan:
    fields = checked.record(
        data,
        *("aliases", "metadata", "namespace", "shape_inputs", "shapes", "sizes", "tactic", "type", "version"),
    )
    return PluginPlan(
        type=checked.text(fields["type"]),
        version=checked.text(fields["version"]),
        namespace=checked.text(fields["namespace"]),
        shapes=checked.items(fields["shapes"], lambda shape: checked.items(shape, _expression, checked.MAX_RANK)),
        shape_inputs=checked.items(fields["shape_inputs"], _index),
        tactic=checked.integer(fields["tactic"], -_INT32 - 1, _INT32),
        aliases=checked.items(fields["aliases"], lambda alias: checked.integer(alias, -1, checked.MAX_ITEMS)),
        sizes=checked.items(fields["sizes"], _index),
        metadata=None if fields["metadata"] is None else checked.text(fields["metadata"]),
    )


def _to_field(data: object, blobs: Iterator[bytes]) -> SavedField:
    fields = checked.record(data, "length", "name", "type")
    kind = checked.member(PluginFieldType, fields["type"])
    length = checked.integer(fields["length"], -_INT32 - 1, _INT32)
    return SavedField(checked.text(fields["name"]), kind, length, _next(blobs))


def _to_profile(data: object) -> ProfilePlan:
    fields = checked.record(data, "ranges", "values")
    return ProfilePlan(checked.items(fields["ranges"], _to_range), checked.items(fields["values"], _to_values))


def _to_range(data: object) -> Any:
    return checked.items(data, checked.extents, exactly=3)


def _to_values(data: object) -> Any:
    if data is None:
        return None
    return checked.items(data, lambda row: checked.items(row, _value), exactly=3)


def _value(data: object) -> int:
    return checked.integer(data, -_INT64 - 1, _INT64)


def _description(desc: Description) -> dict[str, Any]:
    require(math.isfinite(desc.scale), f"the scale {desc.scale} is no finite number")
    return {"dims": desc.dims, "type": int(desc.type), "format": int(desc.format), "scale": desc.scale}


def _to_description(data: object) -> Description:
    fields = checked.record(data, "dims", "format", "scale", "type")
    dims, scale = checked.extents(fields["dims"]), fields["scale"]
    require(isinstance(scale, float), f"{checked.shown(scale)} is no scale")
    dtype, layout = checked.member(DataType, fields["type"]), checked.member(TensorFormat, fields["format"])
    require(bool(formats.candidates(dims, [dtype], [layout])), f"there is no {layout} of {dtype} for {list(dims)}")
    return Description(dims, dtype, layout, scale)


def _index(data: object) -> int:
    return checked.integer(data, 0, checked.MAX_ITEMS)


def _workspace(data: object) -> int:
    return checked.integer(data, 0, checked.MAX_BYTES)


def _expression(data: object) -> Any:
    try:
        expression_nodes.from_plain(data)
    except ExpressionError as error:
        raise PlanError(f"an expression cannot be read: {error}") from error
    return data
