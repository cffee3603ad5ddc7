"""One function for each callback of an `IPluginV2DynamicExt` and of its creator: from C++ to Python and back.

Theory. The bindings pass positional arguments and make every list and descriptor anew. So a plugin that changes them
does not affect a later call. A method's error never reaches the caller. The bindings print a line to file descriptor 2
and give C++ a default. These functions return exactly that default, and print exactly that line unless the gate is
quiet. The gate records the swallowed error and TensorRT's reaction.

Each call is first checked against the lifecycle. An illegal call raises `LifecycleError` and does not reach the plugin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound import bound_class
from reference_runtime.bound.enumeration import another
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.callbacks.v2 import NoValue, invoke, made_by, read_attribute
from reference_runtime.calling.gate.records import CallOutcome, FailureKind
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.creators import IPluginCreator
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.shapes.expressions import DimsExprs, IExprBuilder
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import DataType, TensorFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.interfaces.field_collections import PluginFieldCollection_

SUCCESS: Final = 0
FAILURE: Final = -1

INVALID: Final = Description((), DataType(0x7F), TensorFormat(0x7F), float("nan"))
"""A tensor that is not described yet: its type and layout do not exist, and it has no dimensions."""

_STRAY_BYTE: Final = b"\xa5"
#: The most bytes that this runtime stores of a plugin, and the most that any machine can allocate.
_MOST_STORED: Final = 1 << 30
_MOST_IN_MEMORY: Final = 1 << 40
_SIZE: Final = Call.GET_SERIALIZATION_SIZE.value
STRAY_ADDRESS: Final = 0xA5A5_A5A5_A5A5_A5A5
"""The address that C++ reads beyond the end of a list of addresses."""


def num_outputs(gate: Gate, plugin: object) -> int:
    """Return the number of outputs, or -1 if ``num_outputs`` was never assigned."""
    return int(read_attribute(gate, plugin, "num_outputs"))


def plugin_type(gate: Gate, plugin: object) -> str | None:
    """Return the plugin's type name, or None as C++'s null pointer."""
    return _string(gate, plugin, "plugin_type")


def plugin_version(gate: Gate, plugin: object) -> str | None:
    """Return the plugin's version, or None as C++'s null pointer."""
    return _string(gate, plugin, "plugin_version")


def plugin_namespace(gate: Gate, plugin: object) -> str | None:
    """Return the plugin's namespace, or None as C++'s null pointer."""
    return _string(gate, plugin, "plugin_namespace")


def set_plugin_namespace(target: object, namespace: str | None) -> None:
    """Set the namespace of a plugin or creator as C++ does: the native attribute changes and no Python code runs."""
    if namespace is None:
        raise NativeCrash(
            f"The namespace of a {type(target).__name__} was set to a null pointer: the genuine bindings abort here."
        )
    owner = IPluginCreator if isinstance(target, IPluginCreator) else IPluginV2DynamicExt
    bound_class.write(target, owner, "plugin_namespace", namespace)


def get_output_datatype(gate: Gate, plugin: object, index: int, input_types: Sequence[DataType]) -> DataType:
    """Return the type of an output; FLOAT after a failure."""
    gate.advance(plugin, Call.GET_OUTPUT_DATATYPE)
    value = invoke(gate, plugin, Call.GET_OUTPUT_DATATYPE, index, [another(dtype) for dtype in input_types])
    return DataType.FLOAT if isinstance(value, NoValue) else value


def get_output_dimensions(
    gate: Gate, plugin: object, index: int, inputs: Sequence[DimsExprs], builder: IExprBuilder
) -> DimsExprs:
    """Return the dimensions of an output; after a failure those of a scalar.

    ``inputs`` and ``builder`` must be made for this call alone.
    """
    gate.advance(plugin, Call.GET_OUTPUT_DIMENSIONS)
    value = invoke(gate, plugin, Call.GET_OUTPUT_DIMENSIONS, index, list(inputs), builder)
    return DimsExprs() if isinstance(value, NoValue) else value


def supports_format_combination(
    gate: Gate, plugin: object, pos: int, in_out: Sequence[Description], num_inputs: int
) -> bool:
    """Say whether the plugin accepts the tensor at ``pos``; those before it are settled."""
    gate.advance(plugin, Call.SUPPORTS_FORMAT_COMBINATION)
    fresh = [tensor.fresh() for tensor in in_out]
    value = invoke(gate, plugin, Call.SUPPORTS_FORMAT_COMBINATION, pos, fresh, num_inputs)
    return False if isinstance(value, NoValue) else value


def configure_plugin(gate: Gate, plugin: object, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> None:
    """Configure the plugin; TensorRT gets no status."""
    gate.advance(plugin, Call.CONFIGURE_PLUGIN)
    gate.count_inputs(plugin, len(inputs))
    invoke(
        gate,
        plugin,
        Call.CONFIGURE_PLUGIN,
        [tensor.fresh() for tensor in inputs],
        [tensor.fresh() for tensor in outputs],
    )


def get_workspace_size(
    gate: Gate, plugin: object, inputs: Sequence[Description], outputs: Sequence[Description]
) -> int:
    """Return the number of bytes of scratch memory that the plugin asks for."""
    gate.advance(plugin, Call.GET_WORKSPACE_SIZE)
    value = invoke(
        gate,
        plugin,
        Call.GET_WORKSPACE_SIZE,
        [tensor.fresh() for tensor in inputs],
        [tensor.fresh() for tensor in outputs],
    )
    return 0 if isinstance(value, NoValue) else value


def initialize(gate: Gate, plugin: object) -> int:
    """Initialize the plugin; after a failure its stage is unchanged, and no ``terminate`` is due."""
    gate.check(plugin, Call.INITIALIZE)
    if invoke(gate, plugin, Call.INITIALIZE) is NoValue.FAILED:
        return FAILURE
    gate.advance(plugin, Call.INITIALIZE)
    return SUCCESS


def terminate(gate: Gate, plugin: object) -> None:
    """Let the plugin release the resources of ``initialize``."""
    gate.advance(plugin, Call.TERMINATE)
    invoke(gate, plugin, Call.TERMINATE)


def enqueue(  # noqa: PLR0913, PLR0917 - the callback has that many
    gate: Gate,
    plugin: object,
    input_desc: Sequence[Description],
    output_desc: Sequence[Description],
    inputs: Sequence[int],
    outputs: Sequence[int],
    workspace: int,
    stream: int,
) -> int:
    """Run the plugin; 0 is success.

    The bindings, not the engine, decide the number of tensors that the plugin gets. It gets as many inputs as the last
    ``configure_plugin`` on this very object had, and ``num_outputs`` outputs. In place of tensors that do not exist the
    bindings read stray memory.
    """
    gate.advance(plugin, Call.ENQUEUE)
    num_inputs = gate.configured_inputs(plugin)
    count = max(bound_class.read(plugin, IPluginV2DynamicExt, "num_outputs"), 0)
    value = invoke(
        gate,
        plugin,
        Call.ENQUEUE,
        [tensor.fresh() for tensor in taken(input_desc, num_inputs, INVALID)],
        [tensor.fresh() for tensor in taken(output_desc, count, INVALID)],
        taken(inputs, num_inputs, STRAY_ADDRESS),
        taken(outputs, count, STRAY_ADDRESS),
        workspace,
        stream,
    )
    return FAILURE if isinstance(value, NoValue) else SUCCESS


def get_serialization_size(gate: Gate, plugin: object) -> int:
    """Return the size of the plugin's data in bytes; without the method, the length of the result of ``serialize``."""
    gate.advance(plugin, Call.GET_SERIALIZATION_SIZE)
    size = invoke(gate, plugin, Call.GET_SERIALIZATION_SIZE)
    if size is NoValue.MISSING:
        data = invoke(gate, plugin, Call.SERIALIZE, called=Call.GET_SERIALIZATION_SIZE)
        return 0 if isinstance(data, NoValue) else len(data)
    return 0 if isinstance(size, NoValue) else size


def serialize(gate: Gate, plugin: object, size: int) -> bytes:
    """Return the content of C++'s buffer of ``size`` bytes, the size that the plugin returned just before.

    A size that no machine can allocate is a failure, and the result is empty.

    Raises:
        MemoryError: The size is above this runtime's limit, although a machine may have so much memory.
    """
    if size > _MOST_IN_MEMORY:
        what, becomes = f"returned {size}", "TensorRT cannot allocate so many bytes"
        gate.fail(plugin, _SIZE, FailureKind.RETURNED, what, becomes, outcome=CallOutcome())
        return b""
    if size > _MOST_STORED:
        raise MemoryError(f"get_serialization_size returned {size:,} bytes")
    buffer = bytearray(_STRAY_BYTE * size)
    serialize_into(gate, plugin, buffer)
    return bytes(buffer)


def serialize_into(gate: Gate, plugin: object, buffer: bytearray) -> None:
    """Copy the plugin's data to a buffer of C++, but, unlike the bindings, never beyond the end of the buffer.

    The bindings ask for the data, then for the size again, and copy that many bytes. C++ asked for the size before,
    too. So a plugin that inherits ``get_serialization_size`` runs ``serialize`` three times. If the size exceeds the
    data, stray memory is copied for the rest.
    """
    gate.advance(plugin, Call.SERIALIZE)
    data = invoke(gate, plugin, Call.SERIALIZE)
    if isinstance(data, NoValue):
        return
    count = min(get_serialization_size(gate, plugin), len(buffer))
    buffer[:count] = data[:count].ljust(count, _STRAY_BYTE)


def clone(gate: Gate, plugin: object) -> Any:
    """Return a copy of the plugin that TensorRT owns, or None."""
    gate.advance(plugin, Call.CLONE)
    copy = made_by(gate, plugin, Call.CLONE)
    if copy is not None:
        gate.adopt(plugin, copy, Call.CLONE)
    return copy


def destroy(gate: Gate, plugin: object) -> None:
    """Release one owner's claim on the plugin; the last release destroys it."""
    if not gate.let_go(plugin):
        return
    gate.advance(plugin, Call.DESTROY)
    result = invoke(gate, plugin, Call.DESTROY)
    gate.disown(plugin, released=result is not NoValue.FAILED)


def create_plugin(gate: Gate, creator: object, name: str, fields: PluginFieldCollection_) -> Any:
    """Return a plugin that the caller owns, or None; ``fields`` must be made for this call alone."""
    return made_by(gate, creator, Call.CREATE_PLUGIN, name, fields)


def deserialize_plugin(gate: Gate, creator: object, name: str, data: bytes) -> Any:
    """Return a plugin that TensorRT owns, or None."""
    plugin = made_by(gate, creator, Call.DESERIALIZE_PLUGIN, name, data)
    if plugin is not None:
        gate.adopt(creator, plugin, Call.DESERIALIZE_PLUGIN)
    return plugin


def _string(gate: Gate, plugin: object, name: str) -> str | None:
    value: str | None = read_attribute(gate, plugin, name)
    return value


def taken(items: Sequence[Any], count: int, stray: Any) -> list[Any]:
    """Return the first ``count`` items, with ``stray`` in place of each that does not exist."""
    return [*items[:count], *[stray] * (count - len(items))]
