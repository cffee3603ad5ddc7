from __future__ import annotations

import pytest

from reference_runtime.calling.lifecycle.table import V2, Call, LifecycleError, Stage, birth, step
from reference_runtime.calling.lifecycle.v3 import BUILD_QUERIES, QUERIES, V3

S, C = Stage, Call
ALIVE = [stage for stage in V3.next if stage is not S.DESTROYED]
BUILD = [S.CREATED, S.CONFIGURED, S.TACTIC_SET, S.READY]
OTHERS = [stage for stage in ALIVE if stage not in BUILD]


def walk(stage, *calls):
    for call in calls:
        stage = step(stage, call, V3)
    return stage


def test_the_builder_configures_asks_times_and_configures_again():
    timed = (C.SET_TACTIC, C.ON_SHAPE_CHANGE, C.ENQUEUE, C.ENQUEUE, C.SET_TACTIC, C.ENQUEUE, C.ON_SHAPE_CHANGE)
    cycle = (C.CONFIGURE_PLUGIN, C.GET_VALID_TACTICS, C.GET_WORKSPACE_SIZE, *timed)
    assert walk(S.CREATED, *cycle, *cycle) is S.READY
    final = (C.CONFIGURE_PLUGIN, C.SET_TACTIC, C.GET_FIELDS_TO_SERIALIZE, C.DESTROY)
    assert walk(S.CREATED, *cycle, *final) is S.DESTROYED


def test_an_engine_attaches_what_it_loaded_and_runs_the_copy_alone():
    loaded = birth(C.CREATE_PLUGIN, None, V3)
    assert loaded is S.LOADED
    attached = birth(C.ATTACH_TO_CONTEXT, loaded, V3)
    running = walk(attached, C.SET_TACTIC, C.ON_SHAPE_CHANGE, C.ENQUEUE, C.ON_SHAPE_CHANGE, C.ENQUEUE)
    assert running is S.RUNNING
    assert walk(running, C.DESTROY) is walk(loaded, C.DESTROY) is S.DESTROYED
    for call in (C.ENQUEUE, C.SET_TACTIC, C.ON_SHAPE_CHANGE, C.CONFIGURE_PLUGIN):
        assert call not in V3.next[loaded]


@pytest.mark.parametrize("stage", ALIVE)
def test_capabilities_fields_and_copies_are_asked_for_at_any_time(stage):
    assert {step(stage, query, V3) for query in QUERIES} == {stage}


def test_what_is_attached_in_a_build_may_be_configured_first():
    attached = birth(C.ATTACH_TO_CONTEXT, S.CREATED, V3)
    chosen = walk(attached, C.CONFIGURE_PLUGIN, C.SET_TACTIC, C.GET_WORKSPACE_SIZE, C.GET_FIELDS_TO_SERIALIZE)
    assert chosen is S.TACTIC_SET
    assert walk(attached, C.SET_TACTIC, C.ON_SHAPE_CHANGE, C.ENQUEUE) is S.RUNNING
    for call in (C.GET_VALID_TACTICS, C.GET_WORKSPACE_SIZE, C.ENQUEUE):
        assert call not in V3.next[attached]


@pytest.mark.parametrize("call", [*BUILD_QUERIES, C.CONFIGURE_PLUGIN, C.GET_VALID_TACTICS, C.GET_WORKSPACE_SIZE])
def test_the_build_capability_is_for_the_build_alone(call):
    legal = {stage for stage in ALIVE if call in V3.next[stage]}
    assert legal
    assert not legal & set(OTHERS) - {S.ATTACHED_IN_A_BUILD}


def test_tactics_are_asked_for_directly_after_a_configuration_and_the_workspace_at_any_time_after_one():
    configured = {step(stage, C.CONFIGURE_PLUGIN, V3) for stage in [*BUILD, S.ATTACHED_IN_A_BUILD]}
    assert configured == {stage for stage in ALIVE if C.GET_VALID_TACTICS in V3.next[stage]}
    assert {stage for stage in ALIVE if C.GET_WORKSPACE_SIZE in V3.next[stage]} == set(BUILD) - {S.CREATED}


@pytest.mark.parametrize("stage", ALIVE)
def test_enqueue_needs_a_tactic_and_a_shape_on_that_very_object(stage):
    born = birth(C.CLONE, stage, V3)
    while C.SET_TACTIC not in V3.next[born]:
        if C.CONFIGURE_PLUGIN in V3.next[born]:
            born = step(born, C.CONFIGURE_PLUGIN, V3)
        else:
            born = birth(C.ATTACH_TO_CONTEXT, born, V3)
    for call in (C.SET_TACTIC, C.ON_SHAPE_CHANGE):
        with pytest.raises(LifecycleError):
            step(born, C.ENQUEUE, V3)
        born = step(born, call, V3)
    assert step(born, C.ENQUEUE, V3) is born


@pytest.mark.parametrize("stage", ALIVE)
def test_every_life_may_end_at_any_time_and_ends_it(stage):
    assert step(stage, C.DESTROY, V3) is S.DESTROYED
    for call in Call:
        with pytest.raises(LifecycleError):
            step(S.DESTROYED, call, V3)


@pytest.mark.parametrize("call", [C.INITIALIZE, C.TERMINATE, C.SERIALIZE, C.GET_OUTPUT_DIMENSIONS])
def test_calls_of_version_2_are_never_legal(call):
    assert all(call not in legal for legal in V3.next.values())
    assert any(call in legal for legal in V2.next.values())


def test_every_stage_can_be_reached():
    reached, edge = set(), {stage for stages in V3.born.values() for stage in stages.values()} | {S.CREATED}
    while edge:
        reached |= edge
        edge = {after for stage in edge for after in V3.next[stage].values()} - reached
    assert reached == set(V3.next)


def test_the_message_names_what_this_table_allows():
    with pytest.raises(LifecycleError) as caught:
        step(S.ATTACHED, C.ENQUEUE, V3)
    assert str(caught.value) == (
        "enqueue arrived while the plugin was attached to a context; allowed here: set_tactic, destroy"
    )
