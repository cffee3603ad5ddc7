import pytest

from reference_runtime.calling.lifecycle.quick import QUICK
from reference_runtime.calling.lifecycle.table import Call, LifecycleError, Stage, birth, step

C, S = Call, Stage


def test_a_build_configures_gives_a_tactic_and_runs():
    stage = S.CREATED
    for call in (C.CONFIGURE_PLUGIN, C.GET_VALID_TACTICS, C.SET_TACTIC, C.ENQUEUE, C.CONFIGURE_PLUGIN):
        stage = step(stage, call, QUICK)
    assert stage is S.CONFIGURED


def test_a_context_runs_a_clone_of_what_was_loaded():
    stage = birth(C.CLONE, birth(C.CREATE_PLUGIN, None, QUICK), QUICK)
    assert stage is S.ATTACHED
    with pytest.raises(LifecycleError):
        step(stage, C.ENQUEUE, QUICK)
    assert step(step(stage, C.SET_TACTIC, QUICK), C.ENQUEUE, QUICK) is S.RUNNING


@pytest.mark.parametrize("stage", [stage for stage in QUICK.next if stage is not S.DESTROYED])
def test_there_is_no_attachment_no_workspace_and_no_change_of_shape(stage):
    for call in (C.ATTACH_TO_CONTEXT, C.GET_WORKSPACE_SIZE, C.ON_SHAPE_CHANGE):
        with pytest.raises(LifecycleError):
            step(stage, call, QUICK)


@pytest.mark.parametrize("stage", [stage for stage in QUICK.next if stage is not S.DESTROYED])
def test_a_kernel_is_asked_for_once_there_is_a_tactic(stage):
    legal = {call for call in (C.GET_LAUNCH_PARAMS, C.GET_KERNEL) if call in QUICK.next[stage]}
    assert legal == ({C.GET_LAUNCH_PARAMS, C.GET_KERNEL} if stage is S.TACTIC_SET else set())


def test_every_stage_can_be_reached():
    reached, edge = set(), {stage for stages in QUICK.born.values() for stage in stages.values()} | {S.CREATED}
    while edge:
        reached |= edge
        edge = {after for stage in edge for after in QUICK.next[stage].values()} - reached
    assert reached == set(QUICK.next)
