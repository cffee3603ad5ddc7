"""The lives of plugins of the implicit-batch interfaces: `IPluginV2`, and `IPluginV2Ext` with its subclasses.

Theory of operation. A builder configures a plugin with the shapes of one item and the maximum batch. The builder then
initializes, times and terminates the plugin, and configures it once more for the engine. An engine initializes the
plugins that it deserializes, and never configures them. So a plugin must serialize everything that it learned from its
configuration.

An `IPluginV2` belongs to the engine, and all contexts run that single object: an *initialized* object can run. Its
clones are for other networks and engines, which initialize them. NVIDIA's documents disagree. By the header's comment
on `clone`, each context runs a clone. By the guide, contexts share the plugin, and this runtime follows the guide.

Of an `IPluginV2Ext` or `IPluginV2IOExt` each context has a clone, which is born initialized (*attached*).
``attach_to_context`` gives the clone the context's libraries; then the clone may run (*running*).
``detach_from_context`` takes the libraries back, and the clone can be attached again. A builder attaches the objects
that it times in the same way.
"""

from __future__ import annotations

from typing import Final

from reference_runtime.calling.lifecycle.table import BORN, Call, Stage, Table

QUERIES: Final = (
    Call.GET_OUTPUT_SHAPE,
    Call.GET_OUTPUT_DATA_TYPE,
    Call.SUPPORTS_FORMAT,
    Call.SUPPORTS_FORMAT_COMBINATION,
    Call.IS_OUTPUT_BROADCAST_ACROSS_BATCH,
    Call.CAN_BROADCAST_INPUT_ACROSS_BATCH,
    Call.GET_SERIALIZATION_SIZE,
    Call.SERIALIZE,
    Call.CLONE,
)
"""Calls that are legal in every stage of a living object and leave it there."""


def _stage(stage: Stage, changes: dict[Call, Stage], stays: tuple[Call, ...] = ()) -> dict[Call, Stage]:
    return dict.fromkeys((*QUERIES, *stays), stage) | changes


def _idle(stage: Stage, stays: tuple[Call, ...] = ()) -> dict[Call, Stage]:
    """Return the calls that are legal on an object that holds no resources."""
    return _stage(
        stage,
        {
            Call.CONFIGURE_WITH_FORMAT: Stage.CONFIGURED,
            Call.CONFIGURE_PLUGIN: Stage.CONFIGURED,
            Call.INITIALIZE: Stage.INITIALIZED,
            Call.DESTROY: Stage.DESTROYED,
        },
        stays,
    )


_RUNS: Final = (Call.EXECUTE_ASYNC, Call.GET_WORKSPACE_SIZE)
_COMMON: Final = {
    Stage.CREATED: _idle(Stage.CREATED),
    Stage.CONFIGURED: _idle(Stage.CONFIGURED, (Call.GET_WORKSPACE_SIZE,)),
    Stage.TERMINATED: _idle(Stage.TERMINATED),
    Stage.DESTROYED: {},
}

SHARED_V2: Final = Table(
    {
        **_COMMON,
        Stage.INITIALIZED: _stage(Stage.INITIALIZED, {Call.TERMINATE: Stage.TERMINATED}, _RUNS),
    },
    {
        **BORN,
        Call.CLONE: {
            Stage.CREATED: Stage.CREATED,
            Stage.CONFIGURED: Stage.CONFIGURED,
            Stage.INITIALIZED: Stage.CONFIGURED,
            Stage.TERMINATED: Stage.CREATED,
        },
    },
    QUERIES,
)
"""The life of an `IPluginV2`, whose contexts share one object."""

ATTACHED_V2: Final = Table(
    {
        **_COMMON,
        Stage.INITIALIZED: _stage(
            Stage.INITIALIZED,
            {Call.ATTACH_TO_CONTEXT: Stage.READY, Call.TERMINATE: Stage.TERMINATED},
            (Call.GET_WORKSPACE_SIZE,),
        ),
        Stage.READY: _stage(Stage.READY, {Call.DETACH_FROM_CONTEXT: Stage.INITIALIZED}, _RUNS),
        Stage.ATTACHED: _stage(
            Stage.ATTACHED,
            {Call.ATTACH_TO_CONTEXT: Stage.RUNNING, Call.DESTROY: Stage.DESTROYED},
            (Call.GET_WORKSPACE_SIZE,),
        ),
        Stage.RUNNING: _stage(Stage.RUNNING, {Call.DETACH_FROM_CONTEXT: Stage.ATTACHED}, _RUNS),
    },
    BORN,
    QUERIES,
)
"""The life of an `IPluginV2Ext` or `IPluginV2IOExt`; each context runs a clone."""
