"""The life of a decorated plugin as a table: the life of an `IPluginV3` without attachment and change of shape.

Theory of operation. The quick interfaces have no ``attach_to_context`` and no ``on_shape_change``. A context runs a
clone of the engine's object. The clone may run as soon as it has a tactic, and gets dimensions as arguments of
``enqueue``. A plugin that is compiled ahead of time never runs. In the build it gets a tactic. Then the builder asks it
for the launch parameters and the kernel.
"""

from __future__ import annotations

from typing import Final

from reference_runtime.calling.lifecycle.table import Call, Stage, Table

_QUERIES: Final = (
    Call.GET_CAPABILITY_INTERFACE,
    Call.CLONE,
    Call.GET_FIELDS_TO_SERIALIZE,
)
_BUILD_QUERIES: Final = (
    Call.GET_NUM_OUTPUTS,
    Call.GET_OUTPUT_DATA_TYPES,
    Call.GET_OUTPUT_SHAPES,
    Call.GET_ALIASED_INPUT,
    Call.GET_SUPPORTED_FORMAT_COMBINATIONS,
    Call.GET_TIMING_CACHE_ID,
    Call.GET_METADATA_STRING,
)
_BUILDING: Final = (Stage.CREATED, Stage.CONFIGURED, Stage.TACTIC_SET)
_RUNTIME: Final = (Stage.LOADED, Stage.ATTACHED, Stage.RUNNING)


def _stage(stage: Stage, changes: dict[Call, Stage], *queries: Call) -> dict[Call, Stage]:
    return dict.fromkeys((*_QUERIES, *queries), stage) | changes | {Call.DESTROY: Stage.DESTROYED}


def _build_stage(stage: Stage, changes: dict[Call, Stage]) -> dict[Call, Stage]:
    return _stage(stage, {Call.CONFIGURE_PLUGIN: Stage.CONFIGURED, **changes}, *_BUILD_QUERIES)


QUICK: Final = Table(
    next={
        Stage.CREATED: _build_stage(Stage.CREATED, {}),
        Stage.CONFIGURED: _build_stage(
            Stage.CONFIGURED, {Call.GET_VALID_TACTICS: Stage.CONFIGURED, Call.SET_TACTIC: Stage.TACTIC_SET}
        ),
        Stage.TACTIC_SET: _build_stage(
            Stage.TACTIC_SET,
            dict.fromkeys((Call.SET_TACTIC, Call.ENQUEUE, Call.GET_LAUNCH_PARAMS, Call.GET_KERNEL), Stage.TACTIC_SET),
        ),
        Stage.LOADED: _stage(Stage.LOADED, {}),
        Stage.ATTACHED: _stage(Stage.ATTACHED, {Call.SET_TACTIC: Stage.RUNNING}),
        Stage.RUNNING: _stage(Stage.RUNNING, dict.fromkeys((Call.SET_TACTIC, Call.ENQUEUE), Stage.RUNNING)),
        Stage.DESTROYED: {},
    },
    born={
        Call.CREATE_PLUGIN: {None: Stage.LOADED},
        Call.CLONE: {
            Stage.CREATED: Stage.CREATED,
            **dict.fromkeys(_BUILDING[1:], Stage.CONFIGURED),
            **dict.fromkeys(_RUNTIME, Stage.ATTACHED),
        },
    },
    queries=(*_QUERIES, *_BUILD_QUERIES),
)
"""The life of a decorated plugin."""
