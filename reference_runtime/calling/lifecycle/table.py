"""The life of one plugin object as a table: the legal calls of each stage, and each call's next stage.

Theory of operation. Every plugin object has its own stage. A `Table` maps a stage to the calls that are legal in it,
and each call to the next stage. Any other call is illegal, raises `LifecycleError` and changes nothing. `clone` leaves
its receiver's stage unchanged and returns a new object, whose first stage is in a second map, ``born``. There is one
table for each interface: `V2` is here, the other tables are in `lifecycle.v3`, `lifecycle.quick` and
`lifecycle.implicit_batch`.

The builder moves an object of version 2 from *created* to *configured* (build phase: wildcards and bounds). Then it is
*initialized* and *ready* (execution phase: one shape). After timing the builder moves the object to *terminated*, and
configures it once more. An engine initializes the objects that it deserializes and never runs them. Each context runs a
clone, which is born initialized and gets neither `initialize` nor `terminate`. So there are two more stages. *Attached*
is like *initialized*, and *running* is like *ready*, but `terminate` is illegal in both.

Queries are legal in every stage except *destroyed*: TensorRT may ask at any time. `enqueue` needs an execution-phase
`configure_plugin` on that very object. The bindings count the inputs in that call; for a clone the count begins at 0.

The tables do not depend on the caller. They state what TensorRT promises a plugin, not what a plugin must survive.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class Stage(enum.Enum):
    """The stage of an object's life; the value is its word in messages."""

    __hash__ = object.__hash__  # by identity: members are looked up in tables at each call

    CREATED = "created"
    CONFIGURED = "configured"
    INITIALIZED = "initialized"
    READY = "ready to run"
    TERMINATED = "terminated"
    ATTACHED = "attached to a context"
    ATTACHED_IN_A_BUILD = "attached to a context in a build"
    RUNNING = "running in a context"
    DESTROYED = "destroyed"
    LOADED = "loaded by an engine"
    TACTIC_SET = "given a tactic"
    ATTACHED_TACTIC_SET = "given a tactic in a context"


class Call(enum.Enum):
    """A call that TensorRT may make; the value is the Python name of the method."""

    __hash__ = object.__hash__  # by identity: members are looked up in tables at each call

    method: str  # the value, without the slow attribute ``value``

    def __init__(self, method: str) -> None:
        self.method = method

    CREATE_PLUGIN = "create_plugin"
    DESERIALIZE_PLUGIN = "deserialize_plugin"
    GET_OUTPUT_DATATYPE = "get_output_datatype"
    GET_OUTPUT_DIMENSIONS = "get_output_dimensions"
    SUPPORTS_FORMAT_COMBINATION = "supports_format_combination"
    GET_SERIALIZATION_SIZE = "get_serialization_size"
    SERIALIZE = "serialize"
    CLONE = "clone"
    CONFIGURE_PLUGIN = "configure_plugin"
    GET_WORKSPACE_SIZE = "get_workspace_size"
    INITIALIZE = "initialize"
    ENQUEUE = "enqueue"
    TERMINATE = "terminate"
    DESTROY = "destroy"
    GET_CAPABILITY_INTERFACE = "get_capability_interface"
    GET_OUTPUT_DATA_TYPES = "get_output_data_types"
    GET_OUTPUT_SHAPES = "get_output_shapes"
    GET_ALIASED_INPUT = "get_aliased_input"
    GET_VALID_TACTICS = "get_valid_tactics"
    SET_TACTIC = "set_tactic"
    ON_SHAPE_CHANGE = "on_shape_change"
    ATTACH_TO_CONTEXT = "attach_to_context"
    GET_FIELDS_TO_SERIALIZE = "get_fields_to_serialize"
    GET_SUPPORTED_FORMAT_COMBINATIONS = "get_supported_format_combinations"
    GET_OUTPUT_SHAPE = "get_output_shape"
    GET_OUTPUT_DATA_TYPE = "get_output_data_type"
    SUPPORTS_FORMAT = "supports_format"
    IS_OUTPUT_BROADCAST_ACROSS_BATCH = "is_output_broadcast_across_batch"
    CAN_BROADCAST_INPUT_ACROSS_BATCH = "can_broadcast_input_across_batch"
    CONFIGURE_WITH_FORMAT = "configure_with_format"
    EXECUTE_ASYNC = "execute_async"
    DETACH_FROM_CONTEXT = "detach_from_context"
    RELEASE = "release"
    GET_NUM_OUTPUTS = "get_num_outputs"
    GET_TIMING_CACHE_ID = "get_timing_cache_id"
    GET_METADATA_STRING = "get_metadata_string"
    GET_KERNEL = "get_kernel"
    GET_LAUNCH_PARAMS = "get_launch_params"


class Table(Struct, frozen=True):
    """The life of the objects of one interface.

    ``next`` maps a stage to the legal calls and the next stage of each. ``born`` has, for each call that makes an
    object, the new object's stage by its receiver's (None for a creator). ``queries`` change no stage, and error
    messages do not list them.
    """

    next: Mapping[Stage, Mapping[Call, Stage]]
    born: Mapping[Call, Mapping[Stage | None, Stage]]
    queries: Collection[Call]


class LifecycleError(RuntimeError):
    """A call arrived in a stage in which it is illegal."""

    def __init__(self, stage: Stage, call: Call, table: Table | None = None) -> None:
        table = table or V2
        legal = table.next.get(stage, {})
        allowed = ", ".join(other.value for other in legal if other not in table.queries)
        super().__init__(
            f"{call.value} arrived while the plugin was {stage.value}; allowed here: {allowed or 'nothing'}"
        )
        self.stage = stage
        self.call = call


QUERIES: Final = (
    Call.GET_OUTPUT_DATATYPE,
    Call.GET_OUTPUT_DIMENSIONS,
    Call.SUPPORTS_FORMAT_COMBINATION,
    Call.GET_SERIALIZATION_SIZE,
    Call.SERIALIZE,
    Call.CLONE,
)
"""Calls that are legal in every stage of a living object and leave it there."""


def _stage(stage: Stage, changes: dict[Call, Stage]) -> dict[Call, Stage]:
    return dict.fromkeys(QUERIES, stage) | changes


NEXT: Final[dict[Stage, dict[Call, Stage]]] = {
    Stage.CREATED: _stage(
        Stage.CREATED,
        {
            Call.CONFIGURE_PLUGIN: Stage.CONFIGURED,
            Call.INITIALIZE: Stage.INITIALIZED,
            Call.DESTROY: Stage.DESTROYED,
        },
    ),
    Stage.CONFIGURED: _stage(
        Stage.CONFIGURED,
        {
            Call.CONFIGURE_PLUGIN: Stage.CONFIGURED,
            Call.GET_WORKSPACE_SIZE: Stage.CONFIGURED,
            Call.INITIALIZE: Stage.INITIALIZED,
            Call.DESTROY: Stage.DESTROYED,
        },
    ),
    Stage.INITIALIZED: _stage(
        Stage.INITIALIZED,
        {
            Call.CONFIGURE_PLUGIN: Stage.READY,
            Call.TERMINATE: Stage.TERMINATED,
        },
    ),
    Stage.READY: _stage(
        Stage.READY,
        {
            Call.CONFIGURE_PLUGIN: Stage.READY,
            Call.GET_WORKSPACE_SIZE: Stage.READY,
            Call.ENQUEUE: Stage.READY,
            Call.TERMINATE: Stage.TERMINATED,
        },
    ),
    Stage.TERMINATED: _stage(
        Stage.TERMINATED,
        {
            Call.CONFIGURE_PLUGIN: Stage.CONFIGURED,
            Call.INITIALIZE: Stage.INITIALIZED,
            Call.DESTROY: Stage.DESTROYED,
        },
    ),
    Stage.ATTACHED: _stage(
        Stage.ATTACHED,
        {
            Call.CONFIGURE_PLUGIN: Stage.RUNNING,
            Call.DESTROY: Stage.DESTROYED,
        },
    ),
    Stage.RUNNING: _stage(
        Stage.RUNNING,
        {
            Call.CONFIGURE_PLUGIN: Stage.RUNNING,
            Call.GET_WORKSPACE_SIZE: Stage.RUNNING,
            Call.ENQUEUE: Stage.RUNNING,
            Call.DESTROY: Stage.DESTROYED,
        },
    ),
    Stage.DESTROYED: {},
}

BORN: Final[dict[Call, dict[Stage | None, Stage]]] = {
    Call.CREATE_PLUGIN: {None: Stage.CREATED},
    Call.DESERIALIZE_PLUGIN: {None: Stage.CREATED},
    Call.CLONE: {
        Stage.CREATED: Stage.CREATED,
        Stage.CONFIGURED: Stage.CONFIGURED,
        Stage.INITIALIZED: Stage.ATTACHED,
        Stage.READY: Stage.ATTACHED,
        Stage.TERMINATED: Stage.CREATED,
        Stage.ATTACHED: Stage.ATTACHED,
        Stage.RUNNING: Stage.ATTACHED,
    },
}
"""For each call that makes an object: the receiver's stage (None for a creator), then the new object's."""


V2: Final = Table(NEXT, BORN, QUERIES)
"""The life of an `IPluginV2DynamicExt`."""


def step(stage: Stage, call: Call, table: Table = V2) -> Stage:
    """Return the stage that follows ``call`` in ``stage``; raise `LifecycleError` where it is illegal."""
    following = table.next.get(stage, {}).get(call)
    if following is None:
        raise LifecycleError(stage, call, table)
    return following


def birth(call: Call, receiver: Stage | None = None, table: Table = V2) -> Stage:
    """Return the first stage of an object that ``call`` returns, or raise `LifecycleError`.

    ``receiver`` is the stage of the object that received the call; None for a creator.
    """
    born = table.born.get(call, {}).get(receiver)
    if born is None:
        raise LifecycleError(receiver or Stage.CREATED, call, table)
    return born
