import pytest

from reference_runtime.calling.lifecycle.implicit_batch import ATTACHED_V2, SHARED_V2
from reference_runtime.calling.lifecycle.table import Call, LifecycleError, Stage, birth, step

BUILT = [Call.CONFIGURE_PLUGIN, Call.INITIALIZE, Call.GET_WORKSPACE_SIZE]
TABLES = {"shared": SHARED_V2, "attached": ATTACHED_V2}


def after(table, calls, stage=Stage.CREATED):
    for call in calls:
        stage = step(stage, call, table)
    return stage


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_stage_can_be_reached_and_left(table):
    born = {stage for stages in table.born.values() for stage in stages.values()}
    reached, edge = set(), born
    while edge:
        reached |= edge
        edge = {then for stage in edge for then in table.next[stage].values()} - reached
    assert reached == set(table.next)


def test_a_shared_object_runs_as_soon_as_it_is_initialized():
    assert after(SHARED_V2, [*BUILT, Call.EXECUTE_ASYNC]) is Stage.INITIALIZED
    assert after(SHARED_V2, [Call.INITIALIZE, Call.EXECUTE_ASYNC, Call.TERMINATE, Call.DESTROY]) is Stage.DESTROYED


def test_what_is_attached_runs_and_can_be_attached_again():
    with pytest.raises(LifecycleError, match="execute_async arrived while the plugin was initialized"):
        after(ATTACHED_V2, [*BUILT, Call.EXECUTE_ASYNC])
    again = [Call.ATTACH_TO_CONTEXT, Call.EXECUTE_ASYNC, Call.DETACH_FROM_CONTEXT]
    assert after(ATTACHED_V2, [*BUILT, *again, *again, Call.TERMINATE]) is Stage.TERMINATED


def test_a_clone_of_what_is_initialized_owes_no_terminate():
    born = birth(Call.CLONE, Stage.INITIALIZED, ATTACHED_V2)
    assert after(ATTACHED_V2, [Call.ATTACH_TO_CONTEXT, Call.EXECUTE_ASYNC], born) is Stage.RUNNING
    with pytest.raises(LifecycleError):
        after(ATTACHED_V2, [Call.TERMINATE], born)


def test_nothing_is_configured_that_is_initialized():
    with pytest.raises(LifecycleError):
        after(ATTACHED_V2, [*BUILT, Call.CONFIGURE_PLUGIN])
