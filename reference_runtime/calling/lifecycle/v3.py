"""The life of an IPluginV3 as a table: the legal calls of each stage, and each call's next stage.

Theory of operation. There is no `initialize` and no `terminate`: construction, `clone` and `attach_to_context` return
initialized objects, and `destroy` ends every life. An object goes one of three ways.

* In a build. An object that a user created, and its clones, begin as *created*. In the stage *configured*, TensorRT
  asks for the tactics and the workspace, in either order. `set_tactic` moves the object to *given a tactic* (tactic 0
  if the plugin has none). `on_shape_change`, which passes the dimensions, moves it to *ready to run*. Then the object
  runs, gets other tactics or shapes, or is configured anew.
* In an engine. An object that a creator made in the runtime phase is *loaded*. It is never configured and never run;
  TensorRT asks it for its fields and attaches it to contexts.
* In a context. An object that `attach_to_context` returned is *attached*, *given a tactic*, then *running*. An object
  that was attached in a build may be configured. Then it goes the way of a build (observed on TensorRT-RTX 1.7.1).

Calls of the build capability are legal in a build only. The queries for a capability, the fields or another object are
legal at any time. `set_tactic` and `on_shape_change` must both precede `enqueue`, on that very object: a clone needs
both again. No document says that the tactic precedes the shape, but TensorRT's samples rely on it.

A plugin may consist of one object or of several. They have one stage: that of the IPluginV3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.calling.lifecycle.table import Call, Stage, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

QUERIES: Final = (
    Call.GET_CAPABILITY_INTERFACE,
    Call.CLONE,
    Call.ATTACH_TO_CONTEXT,
    Call.GET_FIELDS_TO_SERIALIZE,
)
"""Calls that are legal in every stage of a living object and leave it there."""

BUILD_QUERIES: Final = (
    Call.GET_OUTPUT_DATA_TYPES,
    Call.GET_OUTPUT_SHAPES,
    Call.GET_ALIASED_INPUT,
    Call.SUPPORTS_FORMAT_COMBINATION,
)
"""Calls that are legal in every stage of the build and leave it there."""


_CONFIGURED: Final = (Stage.CONFIGURED, Stage.TACTIC_SET, Stage.READY)
_RUNTIME: Final = (Stage.LOADED, Stage.ATTACHED, Stage.ATTACHED_TACTIC_SET, Stage.RUNNING)
_ATTACHED: Final = {Call.SET_TACTIC: Stage.ATTACHED_TACTIC_SET}


def _stage(stage: Stage, changes: dict[Call, Stage], queries: tuple[Call, ...] = QUERIES) -> dict[Call, Stage]:
    return dict.fromkeys(queries, stage) | changes | {Call.DESTROY: Stage.DESTROYED}


def _build_stage(stage: Stage, changes: dict[Call, Stage]) -> dict[Call, Stage]:
    return _stage(stage, {Call.CONFIGURE_PLUGIN: Stage.CONFIGURED, **changes}, QUERIES + BUILD_QUERIES)


def _born(receivers: Iterable[Stage], newborn: Stage) -> dict[Stage | None, Stage]:
    return dict.fromkeys(receivers, newborn)


V3: Final = Table(
    next={
        Stage.CREATED: _build_stage(Stage.CREATED, {}),
        Stage.CONFIGURED: _build_stage(
            Stage.CONFIGURED,
            {
                Call.GET_VALID_TACTICS: Stage.CONFIGURED,
                Call.GET_WORKSPACE_SIZE: Stage.CONFIGURED,
                Call.SET_TACTIC: Stage.TACTIC_SET,
            },
        ),
        Stage.TACTIC_SET: _build_stage(
            Stage.TACTIC_SET,
            {
                Call.GET_WORKSPACE_SIZE: Stage.TACTIC_SET,
                Call.SET_TACTIC: Stage.TACTIC_SET,
                Call.ON_SHAPE_CHANGE: Stage.READY,
            },
        ),
        Stage.READY: _build_stage(
            Stage.READY,
            {
                Call.GET_WORKSPACE_SIZE: Stage.READY,
                Call.SET_TACTIC: Stage.READY,
                Call.ON_SHAPE_CHANGE: Stage.READY,
                Call.ENQUEUE: Stage.READY,
            },
        ),
        Stage.LOADED: _stage(Stage.LOADED, {}),
        Stage.ATTACHED: _stage(Stage.ATTACHED, _ATTACHED),
        Stage.ATTACHED_IN_A_BUILD: _stage(
            Stage.ATTACHED_IN_A_BUILD, {**_ATTACHED, Call.CONFIGURE_PLUGIN: Stage.CONFIGURED}
        ),
        Stage.ATTACHED_TACTIC_SET: _stage(
            Stage.ATTACHED_TACTIC_SET,
            {Call.SET_TACTIC: Stage.ATTACHED_TACTIC_SET, Call.ON_SHAPE_CHANGE: Stage.RUNNING},
        ),
        Stage.RUNNING: _stage(
            Stage.RUNNING,
            {
                Call.SET_TACTIC: Stage.RUNNING,
                Call.ON_SHAPE_CHANGE: Stage.RUNNING,
                Call.ENQUEUE: Stage.RUNNING,
            },
        ),
        Stage.DESTROYED: {},
    },
    born={
        Call.CREATE_PLUGIN: {None: Stage.LOADED},
        Call.CLONE: {
            Stage.CREATED: Stage.CREATED,
            **_born(_CONFIGURED, Stage.CONFIGURED),
            **_born((*_RUNTIME, Stage.ATTACHED_IN_A_BUILD), Stage.LOADED),
        },
        Call.ATTACH_TO_CONTEXT: {
            **_born((Stage.CREATED, *_CONFIGURED, Stage.ATTACHED_IN_A_BUILD), Stage.ATTACHED_IN_A_BUILD),
            **_born(_RUNTIME, Stage.ATTACHED),
        },
    },
    queries=QUERIES + BUILD_QUERIES,
)
"""The life of an `IPluginV3`. An object that a user creates in the build phase has no parent: it begins as created."""
