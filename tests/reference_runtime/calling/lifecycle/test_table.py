from __future__ import annotations

import pytest

from reference_runtime.calling.lifecycle.table import BORN, NEXT, QUERIES, Call, LifecycleError, Stage, birth, step

S, C = Stage, Call
ALIVE = [stage for stage in NEXT if stage is not Stage.DESTROYED]


def walk(stage: Stage, *calls: Call) -> Stage:
    for call in calls:
        stage = step(stage, call)
    return stage


def test_the_builder_may_configure_initialize_run_terminate_and_configure_again():
    cycle = (C.CONFIGURE_PLUGIN, C.GET_WORKSPACE_SIZE, C.INITIALIZE, C.CONFIGURE_PLUGIN, C.ENQUEUE, C.TERMINATE)
    assert walk(S.CREATED, *cycle) is S.TERMINATED
    assert walk(S.CREATED, *cycle, *cycle) is S.TERMINATED
    assert walk(S.CREATED, *cycle, C.CONFIGURE_PLUGIN, C.SERIALIZE, C.DESTROY) is S.DESTROYED


def test_an_engine_initializes_and_terminates_without_configuring():
    assert walk(birth(C.DESERIALIZE_PLUGIN), C.INITIALIZE, C.TERMINATE, C.DESTROY) is S.DESTROYED


def test_a_context_clone_runs_and_goes_without_initialize_or_terminate():
    clone = birth(C.CLONE, walk(S.CREATED, C.INITIALIZE))
    assert walk(clone, C.CONFIGURE_PLUGIN, C.ENQUEUE, C.CONFIGURE_PLUGIN, C.ENQUEUE, C.DESTROY) is S.DESTROYED
    for stage in (S.ATTACHED, S.RUNNING):
        assert C.INITIALIZE not in NEXT[stage]
        assert C.TERMINATE not in NEXT[stage]


@pytest.mark.parametrize("stage", ALIVE)
def test_queries_are_legal_in_every_stage_of_a_living_object_and_change_nothing(stage):
    assert {step(stage, query) for query in QUERIES} == {stage}


@pytest.mark.parametrize("stage", [S.INITIALIZED, S.READY])
def test_what_was_initialized_is_terminated_before_it_is_destroyed(stage):
    with pytest.raises(LifecycleError, match="destroy arrived"):
        step(stage, C.DESTROY)


def test_enqueue_needs_an_execution_phase_configuration_of_that_object():
    legal = {stage for stage in NEXT if C.ENQUEUE in NEXT[stage]}
    assert legal == {S.READY, S.RUNNING}
    assert C.ENQUEUE not in NEXT[birth(C.CLONE, S.READY)]


def test_the_workspace_is_asked_for_after_a_configuration():
    legal = {stage for stage in NEXT if C.GET_WORKSPACE_SIZE in NEXT[stage]}
    assert legal == {step(stage, C.CONFIGURE_PLUGIN) for stage in ALIVE}


def test_a_destroyed_object_gets_no_call_at_all():
    for call in Call:
        with pytest.raises(LifecycleError):
            step(S.DESTROYED, call)
    with pytest.raises(LifecycleError, match="clone arrived while the plugin was destroyed; allowed here: nothing"):
        birth(C.CLONE, S.DESTROYED)


def test_the_message_says_what_came_when_and_what_may_come():
    with pytest.raises(LifecycleError) as caught:
        step(S.CREATED, C.ENQUEUE)
    assert str(caught.value) == (
        "enqueue arrived while the plugin was created; allowed here: configure_plugin, initialize, destroy"
    )
    assert (caught.value.stage, caught.value.call) == (S.CREATED, C.ENQUEUE)


def test_every_stage_can_be_reached_and_left_for_destroyed():
    born = {stage for stages in BORN.values() for stage in stages.values()}
    reached, edge = set(), born
    while edge:
        reached |= edge
        edge = {after for stage in edge for after in NEXT[stage].values()} - reached
    assert reached == set(NEXT)


V3_ONLY = {
    C.GET_CAPABILITY_INTERFACE,
    C.GET_OUTPUT_DATA_TYPES,
    C.GET_OUTPUT_SHAPES,
    C.GET_ALIASED_INPUT,
    C.GET_VALID_TACTICS,
    C.SET_TACTIC,
    C.ON_SHAPE_CHANGE,
    C.ATTACH_TO_CONTEXT,
    C.GET_FIELDS_TO_SERIALIZE,
    C.GET_SUPPORTED_FORMAT_COMBINATIONS,
    C.GET_NUM_OUTPUTS,
    C.GET_TIMING_CACHE_ID,
    C.GET_METADATA_STRING,
    C.GET_KERNEL,
    C.GET_LAUNCH_PARAMS,
}


IMPLICIT_ONLY = {
    C.GET_OUTPUT_SHAPE,
    C.GET_OUTPUT_DATA_TYPE,
    C.SUPPORTS_FORMAT,
    C.IS_OUTPUT_BROADCAST_ACROSS_BATCH,
    C.CAN_BROADCAST_INPUT_ACROSS_BATCH,
    C.CONFIGURE_WITH_FORMAT,
    C.EXECUTE_ASYNC,
    C.DETACH_FROM_CONTEXT,
}


def test_only_makers_of_objects_and_calls_of_other_interfaces_are_missing_from_the_table():
    called = {call for calls in NEXT.values() for call in calls}
    assert set(Call) - called == {C.CREATE_PLUGIN, C.DESERIALIZE_PLUGIN, C.RELEASE} | V3_ONLY | IMPLICIT_ONLY


@pytest.mark.parametrize("call", sorted(V3_ONLY | IMPLICIT_ONLY, key=lambda call: call.value))
def test_a_call_of_another_interface_is_never_legal(call):
    with pytest.raises(LifecycleError, match=f"{call.value} arrived while the plugin was created"):
        step(S.CREATED, call)
