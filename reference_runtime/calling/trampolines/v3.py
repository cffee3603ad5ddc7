"""One function for each callback of an IPluginV3, its capabilities and its creator: from C++ to Python and back.

Theory. The functions work as in `trampolines.v2`. Arguments are positional, and every list and descriptor is newly
made. If a method fails, C++ gets the bindings' default, and the bindings' line goes to file descriptor 2. The gate
records the failure. An illegal call raises `LifecycleError` and does not reach the plugin.

The argument after the gate is the object that has the callback, mostly a capability, whose plugin the gate knows. The
bindings keep two facts in each capability. One is the number of tensors in the last `on_shape_change` on that very
object: `enqueue` gets as many. The other is the list of tactics. Python returns it when C++ asks for their number, and
it is removed when C++ asks for the tactics.

The functions also call the callbacks of a decorated plugin (`is_quick`), with its arguments. It gets the ranks with the
types, and strides in place of a workspace, which it never has. It has no `on_shape_change` and no `attach_to_context`:
its shapes change without a call, and a context runs a clone of it.

A result that C++ reads through pointers is read at once: fields are copied before anything else happens. If a field's
memory has been freed by then, the copy holds stray bytes, and the gate records a failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound import bound_class
from reference_runtime.bound.enumeration import another
from reference_runtime.calling.callbacks.v2 import NoValue, invoke, made_by, reject
from reference_runtime.calling.callbacks.v3 import CALLBACKS
from reference_runtime.calling.gate.records import CallOutcome, FailureKind
from reference_runtime.calling.lifecycle.quick import QUICK
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.calling.lifecycle.v3 import V3
from reference_runtime.calling.trampolines.capabilities import (
    Capabilities,
    capabilities,
    capability,
    format_combination_limit,
    is_compiled,
    metadata_string,
    num_outputs,
    plugin_name,
    plugin_namespace,
    plugin_version,
    timing_cache_id,
)
from reference_runtime.calling.trampolines.v2 import INVALID, STRAY_ADDRESS, taken
from reference_runtime.interfaces.creators import IPluginCreatorV3Quick
from reference_runtime.interfaces.field import content, is_alive
from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.interfaces.v3 import IPluginV3OneBuildV2, is_quick
from reference_runtime.values.enums import DataType, QuickPluginCreationRequest, TensorRTPhase
from reference_runtime.values.formats import strides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.lifecycle.table import Table
    from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection_
    from reference_runtime.shapes.expressions import DimsExprs, IExprBuilder
    from reference_runtime.values.descriptions import Bounds, Description

__all__ = [
    "Capabilities",
    "attach_to_context",
    "capabilities",
    "capability",
    "clone",
    "configure_plugin",
    "count_tactics",
    "create_plugin",
    "create_quick_plugin",
    "destroy",
    "enqueue",
    "fetch_tactics",
    "format_combination_limit",
    "get_aliased_input",
    "get_fields_to_serialize",
    "get_output_data_types",
    "get_output_shapes",
    "get_valid_tactics",
    "get_workspace_size",
    "has_aliases",
    "is_compiled",
    "metadata_string",
    "num_outputs",
    "on_shape_change",
    "plugin_name",
    "plugin_namespace",
    "plugin_version",
    "set_tactic",
    "supports_format_combination",
    "timing_cache_id",
]

SUCCESS: Final = 0
FAILURE: Final = -1
NO_ALIAS: Final = -1

_COUNTED: Final = "_counted_tensors"
_TACTICS: Final = "_counted_tactics"


def get_output_data_types(
    gate: Gate, build: object, types: Sequence[DataType], count: int, ranks: Sequence[int] = ()
) -> list[DataType] | None:
    """Return the types of all outputs; None after a failure, also if their number is not ``count``."""
    gate.advance(build, Call.GET_OUTPUT_DATA_TYPES, _life(build))
    input_types = [another(dtype) for dtype in types]
    more = [list(ranks)] if is_quick(build) else []
    return _as_many(gate, build, Call.GET_OUTPUT_DATA_TYPES, count, input_types, *more)


def get_output_shapes(
    gate: Gate,
    build: object,
    inputs: Sequence[DimsExprs],
    shape_inputs: Sequence[DimsExprs],
    builder: IExprBuilder,
    count: int,
) -> list[DimsExprs] | None:
    """Return the dimensions of all ``count`` outputs; None after a failure.

    The inputs and the builder must be made for this call alone.
    """
    gate.advance(build, Call.GET_OUTPUT_SHAPES, _life(build))
    return _as_many(gate, build, Call.GET_OUTPUT_SHAPES, count, list(inputs), list(shape_inputs), builder)


def get_aliased_input(gate: Gate, build: object, output: int) -> int:
    """Return the input whose memory an output shares, or -1; an IPluginV3OneBuild has no query for it."""
    if not has_aliases(build):
        return NO_ALIAS
    gate.advance(build, Call.GET_ALIASED_INPUT, _life(build))
    source = _invoke(gate, build, Call.GET_ALIASED_INPUT, output)
    return NO_ALIAS if isinstance(source, NoValue) else source


def has_aliases(build: object) -> bool:
    """Say whether a build capability has the query for the aliases of outputs."""
    return isinstance(build, IPluginV3OneBuildV2) or is_quick(build)


def supports_format_combination(gate: Gate, build: object, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
    """Say whether the plugin accepts the tensor at ``pos``; those before it are settled."""
    gate.advance(build, Call.SUPPORTS_FORMAT_COMBINATION, V3)
    fresh = [tensor.fresh() for tensor in in_out]
    answer = _invoke(gate, build, Call.SUPPORTS_FORMAT_COMBINATION, pos, fresh, num_inputs)
    return False if isinstance(answer, NoValue) else answer


def configure_plugin(gate: Gate, build: object, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
    """Configure the plugin; 0 is success."""
    return _prepare(gate, build, Call.CONFIGURE_PLUGIN, _fresh(inputs), _fresh(outputs))


def get_workspace_size(gate: Gate, build: object, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
    """Return the number of bytes of scratch memory that the plugin asks for."""
    if is_quick(build):
        return 0
    gate.advance(build, Call.GET_WORKSPACE_SIZE, V3)
    size = _invoke(gate, build, Call.GET_WORKSPACE_SIZE, _fresh(inputs), _fresh(outputs))
    return 0 if isinstance(size, NoValue) else size


def get_valid_tactics(gate: Gate, build: object) -> list[int] | None:
    """Return the plugin's tactics; None after a failure. Python is called once."""
    count = count_tactics(gate, build)
    return None if count < 0 else fetch_tactics(gate, build, count)


def count_tactics(gate: Gate, build: object) -> int:
    """Return the number of tactics, which are kept for the next `fetch_tactics`; -1 is a failure."""
    gate.advance(build, Call.GET_VALID_TACTICS, _life(build))
    answer = _invoke(gate, build, Call.GET_VALID_TACTICS)
    if answer is NoValue.FAILED:
        return FAILURE
    bound_class.state(build)[_TACTICS] = tactics = [] if isinstance(answer, NoValue) else answer
    return len(tactics)


def fetch_tactics(gate: Gate, build: object, count: int) -> list[int] | None:
    """Return the tactics that `count_tactics` kept, or None if there are not ``count``; they are kept no longer."""
    tactics: list[int] | None = bound_class.state(build).pop(_TACTICS, None)
    if tactics is None:
        _say_internal(gate, "Internal error. getValidTactics() called before getNbTactics().")
    elif len(tactics) != count:
        _say_internal(gate, "number of tactics does not match cached number of tactics")
    else:
        return tactics
    return None


def set_tactic(gate: Gate, runtime: object, tactic: int) -> int:
    """Set the tactic for later runs, 0 if the plugin offers no tactics; 0 is success."""
    return _prepare(gate, runtime, Call.SET_TACTIC, tactic)


def on_shape_change(gate: Gate, runtime: object, inputs: Sequence[Description], outputs: Sequence[Description]) -> int:
    """Pass the dimensions, types and formats of later runs; 0 is success.

    The bindings count the tensors even if the call fails. A decorated plugin does not have this callback.
    """
    if is_quick(runtime):
        return SUCCESS
    gate.check(runtime, Call.ON_SHAPE_CHANGE, V3)
    bound_class.state(runtime)[_COUNTED] = (len(inputs), len(outputs))
    return _prepare(gate, runtime, Call.ON_SHAPE_CHANGE, _fresh(inputs), _fresh(outputs))


def enqueue(  # noqa: PLR0913, PLR0917 - the callback has that many
    gate: Gate,
    runtime: object,
    input_desc: Sequence[Description],
    output_desc: Sequence[Description],
    inputs: Sequence[int],
    outputs: Sequence[int],
    workspace: int,
    stream: int,
) -> int:
    """Run the plugin; 0 is success.

    An `IPluginV3` gets as many tensors as the last ``on_shape_change`` on this very object had. In place of tensors
    that do not exist the bindings read stray memory.
    """
    gate.advance(runtime, Call.ENQUEUE, _life(runtime))
    if is_quick(runtime):
        described = _fresh(input_desc), _fresh(output_desc)
        apart = [[list(strides(desc)) for desc in descs] for descs in (input_desc, output_desc)]
        answer = _invoke(gate, runtime, Call.ENQUEUE, *described, list(inputs), list(outputs), *apart, stream)
        return FAILURE if isinstance(answer, NoValue) else SUCCESS
    num_inputs, count = bound_class.state(runtime).get(_COUNTED, (0, 0))
    answer = _invoke(
        gate,
        runtime,
        Call.ENQUEUE,
        _fresh(taken(input_desc, num_inputs, INVALID)),
        _fresh(taken(output_desc, count, INVALID)),
        taken(inputs, num_inputs, STRAY_ADDRESS),
        taken(outputs, count, STRAY_ADDRESS),
        workspace,
        stream,
    )
    return FAILURE if isinstance(answer, NoValue) else SUCCESS


def attach_to_context(gate: Gate, runtime: object, resource_context: object) -> Any | None:
    """Return a new IPluginV3 for a context, not only a capability, or None. TensorRT owns the new object."""
    return _copied(gate, runtime, Call.ATTACH_TO_CONTEXT, resource_context)


def clone(gate: Gate, plugin: object) -> Any | None:
    """Return a copy of the plugin that TensorRT owns, or None."""
    return _copied(gate, plugin, Call.CLONE)


def destroy(gate: Gate, plugin: object) -> None:
    """Release one owner's claim on the plugin; the last release destroys it."""
    if not gate.let_go(plugin):
        return
    gate.advance(plugin, Call.DESTROY, _life(plugin))
    result = _invoke(gate, plugin, Call.DESTROY)
    gate.disown(plugin, released=result is not NoValue.FAILED)


def get_fields_to_serialize(gate: Gate, runtime: object) -> tuple[SavedField, ...] | None:
    """Return copies of the fields from which the plugin is recreated in the runtime phase; None after a failure."""
    gate.advance(runtime, Call.GET_FIELDS_TO_SERIALIZE, _life(runtime))
    fields = _invoke(gate, runtime, Call.GET_FIELDS_TO_SERIALIZE)
    return None if isinstance(fields, NoValue) else tuple(_saved(gate, runtime, field) for field in fields)


def create_plugin(
    gate: Gate, creator: object, name: str, fields: PluginFieldCollection_, phase: TensorRTPhase
) -> Any | None:
    """Return a plugin, or None; ``fields`` must be made for this call alone.

    A plugin for the runtime phase belongs to TensorRT, a plugin for the build phase to the caller.
    """
    plugin = made_by(gate, creator, Call.CREATE_PLUGIN, name, fields, another(phase), table=CALLBACKS)
    if plugin is not None and int(phase) == int(TensorRTPhase.RUNTIME):
        gate.adopt(creator, plugin, Call.CREATE_PLUGIN, V3)
    return plugin


def create_quick_plugin(
    gate: Gate, creator: Any, fields: PluginFieldCollection_, phase: TensorRTPhase, request: QuickPluginCreationRequest
) -> Any | None:
    """Return a decorated plugin, or None; as `create_plugin`, but with the creator's name and namespace."""
    name, namespace = (bound_class.read(creator, IPluginCreatorV3Quick, key) for key in ("name", "plugin_namespace"))
    phase_and_request = another(phase), another(request)
    plugin = made_by(gate, creator, Call.CREATE_PLUGIN, name, namespace, fields, *phase_and_request, table=CALLBACKS)
    if plugin is not None and int(phase) == int(TensorRTPhase.RUNTIME):
        gate.adopt(creator, plugin, Call.CREATE_PLUGIN, _life(plugin))
    return plugin


def _life(target: object) -> Table:
    return QUICK if is_quick(target) else V3


def _invoke(gate: Gate, target: object, call: Call, *arguments: object) -> Any:
    return invoke(gate, target, call, *arguments, table=CALLBACKS)


def _prepare(gate: Gate, target: object, call: Call, *arguments: object) -> int:
    """Make a call that moves the plugin to the next stage on success, and changes no stage on failure."""
    gate.check(target, call, _life(target))
    if isinstance(_invoke(gate, target, call, *arguments), NoValue):
        return FAILURE
    gate.advance(target, call, _life(target))
    return SUCCESS


def _as_many(gate: Gate, build: object, call: Call, count: int, *arguments: object) -> list[Any] | None:
    answers = _invoke(gate, build, call, *arguments)
    if isinstance(answers, NoValue):
        return None
    if len(answers) == count:
        return list(answers)
    complaint = f"{call.value}() returned a list with a different length than num_outputs"
    what = f"returned a list of {len(answers)} for {count} outputs"
    reject(gate, build, call, complaint, what, CALLBACKS[call].becomes)
    return None


def _copied(gate: Gate, source: object, call: Call, *arguments: object) -> Any | None:
    gate.advance(source, call, _life(source))
    copy = made_by(gate, source, call, *arguments, table=CALLBACKS)
    if copy is not None:
        gate.adopt(source, copy, call, _life(source))
    return copy


def _say_internal(gate: Gate, text: str) -> None:
    """Print the bindings' message about a wrong order of C++'s queries, which is no error of the plugin."""
    gate.say(f"[ERROR] Exception thrown from get_valid_tactics() RuntimeError: {text}")


def _saved(gate: Gate, runtime: object, field: PluginField) -> SavedField:
    data, there = content(field)
    if there < len(data) or not is_alive(field):
        what = f"returned the field {field.name!r}; TensorRT could read {there} of its {len(data)} bytes"
        becomes = "TensorRT serializes the bytes in that memory"
        gate.fail(
            runtime, Call.GET_FIELDS_TO_SERIALIZE.value, FailureKind.RETURNED, what, becomes, outcome=CallOutcome()
        )
    return SavedField(field.name, field.type, field.size, data)


def _fresh(tensors: Sequence[Any]) -> list[Any]:
    return [tensor.fresh() for tensor in tensors]
