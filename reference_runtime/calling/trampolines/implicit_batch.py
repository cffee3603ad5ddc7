"""The callbacks of the implicit-batch interfaces, under the names and with the arguments of `trampolines.v2`.

Theory. A network with an implicit batch has the batch as the first dimension of every tensor. That dimension is -1 for
a batch of any size up to the maximum. It is 1 for a *broadcast* tensor: the whole batch shares its one item. The
functions here receive tensors in that form, and convert them to the arguments of a plugin's interface. These are shapes
of one item, the batch size as a separate number, and flags for broadcast tensors. So builders, engines and tests call
these plugins in the same way as an `IPluginV2DynamicExt`.

In a network with an explicit batch the first dimension of every tensor counts as the batch. No tensor is broadcast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound import bound_class
from reference_runtime.bound.enumeration import another
from reference_runtime.calling.callbacks.implicit_batch import EXTENDED_CALLBACKS, IMPLICIT_CALLBACKS
from reference_runtime.calling.callbacks.v2 import NoValue, invoke, made_by
from reference_runtime.calling.gate.records import CallOutcome, FailureKind
from reference_runtime.calling.lifecycle.implicit_batch import ATTACHED_V2, SHARED_V2
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.calling.trampolines.v2 import (
    FAILURE,
    SUCCESS,
    deserialize_plugin,
    destroy,
    get_serialization_size,
    num_outputs,
    plugin_namespace,
    plugin_type,
    plugin_version,
    serialize,
    serialize_into,
    set_plugin_namespace,
    terminate,
)
from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v2_ext import IPluginV2Ext, IPluginV2IOExt
from reference_runtime.shapes.expression_nodes import Constant, Extent
from reference_runtime.shapes.expressions import DimsExprs, IExprBuilder, node_of
from reference_runtime.values.descriptions import Description, as_dims, no_dims
from reference_runtime.values.dims import values
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.formats import REAL_TYPES
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.calling.callbacks.v2 import Callback
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.lifecycle.table import Table
    from reference_runtime.values.descriptions import Bounds, Extents

__all__ = [
    "FAILURE",
    "SUCCESS",
    "attach_to_context",
    "broadcasts",
    "can_broadcast",
    "clone",
    "configure_plugin",
    "deserialize_plugin",
    "destroy",
    "detach_from_context",
    "enqueue",
    "get_output_datatype",
    "get_output_dimensions",
    "get_serialization_size",
    "get_workspace_size",
    "initialize",
    "is_attached",
    "is_output_broadcast",
    "life_of",
    "num_outputs",
    "output_shape",
    "plugin_namespace",
    "plugin_type",
    "plugin_version",
    "serialize",
    "serialize_into",
    "set_plugin_namespace",
    "supports_format",
    "supports_format_combination",
    "terminate",
]

_LEGACY: Final = frozenset({"LINEAR", "CHW2", "HWC8"})
"""The formats that ``supports_format`` is called with."""


def is_attached(plugin: object) -> bool:
    """Return whether each context has an attached clone of the plugin; contexts share an `IPluginV2`."""
    return isinstance(plugin, IPluginV2Ext)


def life_of(plugin: object) -> Table:
    """Return the table of legal calls."""
    return ATTACHED_V2 if is_attached(plugin) else SHARED_V2


def broadcasts(tensors: Sequence[Extents]) -> list[bool]:
    """Say which tensors are one item for the whole batch, from the network's shapes."""
    batched = any(dims[:1] == (-1,) for dims in tensors)
    return [batched and dims[:1] == (1,) for dims in tensors]


def get_output_datatype(gate: Gate, plugin: object, index: int, input_types: Sequence[DataType]) -> DataType:
    """Return the type of an output; an `IPluginV2` has no query, but outputs of the type of its first input."""
    if not is_attached(plugin):
        return another(input_types[0]) if input_types else DataType.FLOAT
    output_type = _call(gate, plugin, Call.GET_OUTPUT_DATA_TYPE, index, [another(dtype) for dtype in input_types])
    return DataType.FLOAT if isinstance(output_type, NoValue) else output_type


def output_shape(gate: Gate, plugin: object, index: int, inputs: Sequence[Extents]) -> Extents | None:
    """Return the shape of one item of an output, for items of the inputs; None after a failure."""
    shape = _call(gate, plugin, Call.GET_OUTPUT_SHAPE, index, [as_dims(dims) for dims in inputs])
    if shape is None and 0 <= index < bound_class.read(plugin, IPluginV2, "num_outputs"):
        what, becomes = "returned None, which is no Dims", IMPLICIT_CALLBACKS[Call.GET_OUTPUT_SHAPE].becomes
        gate.fail(plugin, Call.GET_OUTPUT_SHAPE.value, FailureKind.RETURNED, what, becomes, outcome=CallOutcome())
    return None if shape is None or isinstance(shape, NoValue) else tuple(values(shape))


def is_output_broadcast(gate: Gate, plugin: object, index: int, inputs: Sequence[bool]) -> bool:
    """Return whether the whole batch shares one item of an output; ``inputs`` says so of each input."""
    return is_attached(plugin) and _is_true(gate, plugin, Call.IS_OUTPUT_BROADCAST_ACROSS_BATCH, index, list(inputs))


def can_broadcast(gate: Gate, plugin: object, index: int) -> bool:
    """Say whether the plugin reads one shared item of an input that is broadcast; otherwise the engine copies it."""
    return is_attached(plugin) and _is_true(gate, plugin, Call.CAN_BROADCAST_INPUT_ACROSS_BATCH, index)


def get_output_dimensions(
    gate: Gate, plugin: object, index: int, inputs: Sequence[DimsExprs], builder: IExprBuilder
) -> DimsExprs:
    """Return an output's dimensions with the batch in front, or raise `Refused` for unusable inputs.

    If the plugin returns no shape, the result has -1 dimensions.
    """
    whole = [_extents(dims) for dims in inputs]
    shape = output_shape(gate, plugin, index, [dims[1:] for dims in whole])
    if shape is None:
        nothing = DimsExprs()
        bound_class.state(nothing)["length"] = bound_class.state(no_dims())["length"]
        return nothing
    flags = broadcasts(whole)
    shared = is_output_broadcast(gate, plugin, index, flags)
    batch = builder.constant(1) if shared else _batch(inputs, flags)
    return DimsExprs([batch, *(builder.constant(extent) for extent in shape)])


def supports_format(gate: Gate, plugin: object, dtype: DataType, layout: TensorFormat) -> bool:
    """Return whether a plugin accepts a type in a format; it is not called for formats newer than its interface."""
    if layout.name not in _LEGACY:
        return False
    return _is_true(gate, plugin, Call.SUPPORTS_FORMAT, another(dtype), another(layout))


def supports_format_combination(
    gate: Gate, plugin: object, pos: int, in_out: Sequence[Description], num_inputs: int
) -> bool:
    """Say whether the plugin accepts the tensor at ``pos``; those before it are settled.

    Only an `IPluginV2IOExt` has a query by position. All tensors of an `IPluginV2` have the same type and format. So
    have the tensors of an `IPluginV2Ext` whose types are `REAL_TYPES`; its other tensors are linear.
    """
    if isinstance(plugin, IPluginV2IOExt):
        fresh = [_item(tensor).fresh() for tensor in in_out]
        return _is_true(gate, plugin, Call.SUPPORTS_FORMAT_COMBINATION, pos, fresh, num_inputs)
    here = in_out[pos]
    if is_attached(plugin) and here.type not in REAL_TYPES:
        return bool(here.format == TensorFormat.LINEAR) and supports_format(gate, plugin, here.type, here.format)
    alike = [desc for desc in in_out[:pos] if not is_attached(plugin) or desc.type in REAL_TYPES]
    if any((desc.type, desc.format) != (here.type, here.format) for desc in alike):
        return False
    return supports_format(gate, plugin, here.type, here.format)


def configure_plugin(gate: Gate, plugin: object, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> None:
    """Configure the plugin for shapes of one item and the maximum batch of the bounds."""
    ins, outs = [bounds.desc for bounds in inputs], [bounds.desc for bounds in outputs]
    if isinstance(plugin, IPluginV2IOExt):
        _call(
            gate, plugin, Call.CONFIGURE_PLUGIN, [_item(desc).fresh() for desc in ins], [_item(d).fresh() for d in outs]
        )
        return
    most = max((bounds.max[0] for bounds in (*inputs, *outputs)), default=1)
    shapes = [as_dims(desc.dims[1:]) for desc in ins], [as_dims(desc.dims[1:]) for desc in outs]
    dtype, layout = _common_form([*ins, *outs])
    if not is_attached(plugin):
        _call(gate, plugin, Call.CONFIGURE_WITH_FORMAT, *shapes, dtype, layout, most)
        return
    types = [DataType(int(desc.type)) for desc in ins], [DataType(int(desc.type)) for desc in outs]
    flags = broadcasts([desc.dims for desc in (*ins, *outs)])
    shared = flags[: len(ins)], flags[len(ins) :]
    _call(gate, plugin, Call.CONFIGURE_PLUGIN, *shapes, *types, *shared, layout, most)


def get_workspace_size(
    gate: Gate, plugin: object, inputs: Sequence[Description], outputs: Sequence[Description]
) -> int:
    """Return the bytes of scratch memory for any batch up to the batch of these shapes."""
    most = max((desc.dims[0] for desc in (*inputs, *outputs)), default=1)
    size = _call(gate, plugin, Call.GET_WORKSPACE_SIZE, most)
    return 0 if isinstance(size, NoValue) else size


def initialize(gate: Gate, plugin: object) -> int:
    """Initialize the plugin; after a failure its stage is unchanged, and no ``terminate`` is due."""
    gate.check(plugin, Call.INITIALIZE, life_of(plugin))
    status = invoke(gate, plugin, Call.INITIALIZE, table=_callbacks(plugin))
    if status not in (NoValue.MISSING, SUCCESS):
        _note_status(gate, plugin, Call.INITIALIZE, status)
        return FAILURE
    gate.advance(plugin, Call.INITIALIZE, life_of(plugin))
    return SUCCESS


def attach_to_context(gate: Gate, plugin: object) -> None:
    """Pass a plugin the libraries of a context: this runtime has none, so the handles are null."""
    if is_attached(plugin):
        _call(gate, plugin, Call.ATTACH_TO_CONTEXT, None, None, None)


def detach_from_context(gate: Gate, plugin: object) -> None:
    """Take back the libraries of a context."""
    if is_attached(plugin):
        _call(gate, plugin, Call.DETACH_FROM_CONTEXT)


def enqueue(  # noqa: PLR0913, PLR0917 - as its namesake
    gate: Gate,
    plugin: object,
    input_desc: Sequence[Description],
    output_desc: Sequence[Description],
    inputs: Sequence[int],
    outputs: Sequence[int],
    workspace: int,
    stream: int,
) -> int:
    """Run the plugin on a batch; 0 is success."""
    batch = max((desc.dims[0] for desc in (*input_desc, *output_desc)), default=1)
    status = _call(gate, plugin, Call.EXECUTE_ASYNC, batch, list(inputs), list(outputs), workspace, stream)
    if status != SUCCESS:
        _note_status(gate, plugin, Call.EXECUTE_ASYNC, status)
        return FAILURE
    return SUCCESS


def clone(gate: Gate, plugin: object) -> Any:
    """Return a copy of the plugin that TensorRT owns, or None."""
    gate.advance(plugin, Call.CLONE, life_of(plugin))
    copy = made_by(gate, plugin, Call.CLONE, table=_callbacks(plugin))
    if copy is not None:
        gate.adopt(plugin, copy, Call.CLONE, life_of(plugin))
    return copy


def _callbacks(plugin: object) -> Mapping[Call, Callback]:
    return EXTENDED_CALLBACKS if is_attached(plugin) else IMPLICIT_CALLBACKS


def _call(gate: Gate, plugin: object, call: Call, *arguments: object) -> Any:
    gate.advance(plugin, call, life_of(plugin))
    return invoke(gate, plugin, call, *arguments, table=_callbacks(plugin))


def _is_true(gate: Gate, plugin: object, call: Call, *arguments: object) -> bool:
    answer = _call(gate, plugin, call, *arguments)
    return False if isinstance(answer, NoValue) else answer


def _note_status(gate: Gate, plugin: object, call: Call, status: Any) -> None:
    """Record a status other than 0; exceptions and values that are no number are already recorded."""
    if not isinstance(status, NoValue):
        becomes = IMPLICIT_CALLBACKS[call].becomes
        gate.fail(plugin, call.value, FailureKind.RETURNED, f"returned {status}", becomes, outcome=CallOutcome(status))


def _item(desc: Description) -> Description:
    """Return the description of one item of a tensor, without the batch."""
    return desc.sized(desc.dims[1:])


def _common_form(tensors: Sequence[Description]) -> tuple[DataType, TensorFormat]:
    """Return the type and format for the configuration: of the first tensor with one of `REAL_TYPES`, if any."""
    first = next((desc for desc in tensors if desc.type in REAL_TYPES), tensors[0])
    return DataType(int(first.type)), TensorFormat(int(first.format))


def _extents(dims: DimsExprs) -> Extents:
    """Return the dimensions of an input, -1 for an unknown batch; raise `Refused` if another dimension is unknown."""
    nodes = map(node_of, bound_class.state(dims)["slots"])
    extents = tuple(node.value if isinstance(node, Constant) else -1 for node in nodes)
    if not extents or -1 in extents[1:]:
        why = f"a plugin of this interface takes no shape like {list(extents)}: all but the batch has to be known"
        raise Refused(why, Reason.NETWORK)
    return extents


def _batch(inputs: Sequence[DimsExprs], flags: Sequence[bool]) -> Any:
    """Return the batch: the first dimension of the first input that is not broadcast."""
    for dims, shared in zip(inputs, flags, strict=True):
        first = bound_class.state(dims)["slots"][0]
        if not shared and isinstance(node_of(first), (Extent, Constant)):
            return first
    raise Refused("no input of the plugin has the batch that its output is to have", Reason.NETWORK)
