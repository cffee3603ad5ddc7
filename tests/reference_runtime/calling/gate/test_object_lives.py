from __future__ import annotations

import gc
import weakref

import pytest

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.object_lives import Lives
from reference_runtime.calling.gate.records import Phase
from reference_runtime.calling.lifecycle.table import V2, Call, LifecycleError, Stage
from reference_runtime.calling.lifecycle.v3 import V3
from tests.support.runtime.unordered_gate import UnorderedGate

CORE, BUILD = 0, 1


class Thing:
    """Anything at all: lives are told apart by identity."""

    def __eq__(self, other):
        return isinstance(other, Thing)

    __hash__ = None


def claim(lives, child, call=Call.DESERIALIZE_PLUGIN, parent=None, table=V2):
    lives.claim(parent, child, call, Phase.ENGINE, table)
    return lives.owned[-1]


def test_equal_objects_have_lives_of_their_own():
    lives, first, second = Lives(), Thing(), Thing()
    lives.advance(first, Call.CONFIGURE_PLUGIN)
    assert (lives.stage_of(first), lives.stage_of(second)) == (Stage.CONFIGURED, Stage.CREATED)
    assert (lives.name_of(first), lives.name_of(second)) == ("Thing#1", "Thing#2")


def test_a_check_raises_and_changes_nothing():
    lives, thing = Lives(), Thing()
    lives.check(thing, Call.INITIALIZE)
    assert lives.stage_of(thing) is Stage.CREATED
    with pytest.raises(LifecycleError):
        lives.check(thing, Call.ENQUEUE)


def test_without_order_no_call_is_illegal():
    lives, thing = UnorderedGate(), Thing()
    lives.check(thing, Call.ENQUEUE)
    lives.advance(thing, Call.ENQUEUE)
    assert lives.stage_of(thing) is Stage.CREATED
    lives.advance(thing, Call.CONFIGURE_PLUGIN)
    assert lives.stage_of(thing) is Stage.CONFIGURED


def test_what_is_called_on_a_part_happens_to_its_whole():
    lives, whole, part = Lives(), Thing(), Thing()
    lives.join(whole, part, CORE)
    lives.join(whole, part, CORE)
    lives.join(whole, whole, CORE)
    lives.advance(part, Call.CONFIGURE_PLUGIN, V3)
    assert lives.stage_of(whole) is lives.stage_of(part) is Stage.CONFIGURED


def test_an_object_has_returned_the_capabilities_that_were_joined_to_it():
    lives, whole, part = Lives(), Thing(), Thing()
    lives.join(whole, whole, CORE)
    lives.join(whole, part, BUILD)
    assert [lives.has_returned(each, BUILD) for each in (whole, part)] == [True, False]
    assert not lives.has_returned(Thing(), CORE)


def test_a_shared_part_counts_for_the_wholes_that_stand_where_the_call_is_legal():
    lives, first, second, part = Lives(), Thing(), Thing(), Thing()
    for whole in (first, second):
        lives.join(whole, part, CORE)
    lives.advance(first, Call.CONFIGURE_PLUGIN, V3)
    lives.advance(part, Call.SET_TACTIC, V3)
    assert (lives.stage_of(first), lives.stage_of(second)) == (Stage.TACTIC_SET, Stage.CREATED)
    with pytest.raises(LifecycleError, match="while the plugin was created"):
        lives.advance(part, Call.ENQUEUE, V3)


def test_a_part_does_not_keep_its_whole_alive_and_outlives_it():
    lives, whole, part = Lives(), Thing(), Thing()
    lives.join(whole, part, CORE)
    gone = weakref.ref(whole)
    del whole
    gc.collect()
    assert gone() is None
    assert lives.stage_of(part) is Stage.CREATED


def test_what_is_owned_or_leaked_is_kept_and_nothing_else():
    lives = Lives()
    things = {name: Thing() for name in ("owned", "leaked", "neither")}
    claim(lives, things["owned"])
    lives.leak(things["leaked"])
    lives.advance(things["neither"], Call.CONFIGURE_PLUGIN)
    alive = {name: weakref.ref(thing) for name, thing in things.items()}
    things.clear()
    gc.collect()
    assert {name for name, ref in alive.items() if ref() is not None} == {"owned", "leaked"}


def test_a_claim_on_what_is_owned_already_is_counted_and_the_last_one_lets_go():
    lives, thing = Lives(), Thing()
    owned = claim(lives, thing)
    claim(lives, thing)
    assert lives.owned == [owned]
    assert [lives.let_go(thing), lives.let_go(thing)] == [False, True]


def test_without_order_every_claim_is_worth_a_destroy_and_one_more_is_a_crash():
    lives, thing = UnorderedGate(), Thing()
    claim(lives, thing)
    claim(lives, thing)
    for _ in range(2):
        assert lives.let_go(thing)
        lives.disown(thing, released=True)
    with pytest.raises(NativeCrash, match="Thing#1 was destroyed more often than it was handed out"):
        lives.let_go(thing)


@pytest.mark.parametrize(("released", "kept"), [(True, False), (False, True)])
def test_what_is_destroyed_is_dropped_if_it_was_released(released, kept):
    lives, thing = Lives(), Thing()
    owned = claim(lives, thing)
    lives.disown(thing, released=released)
    assert owned.destroyed
    assert (owned.target is thing) is kept


def test_a_newborn_stands_where_the_table_says_and_remembers_its_parent():
    lives, parent, child = Lives(), Thing(), Thing()
    lives.advance(parent, Call.CONFIGURE_PLUGIN, V3)
    owned = claim(lives, child, Call.ATTACH_TO_CONTEXT, parent, V3)
    assert lives.stage_of(child) is Stage.ATTACHED_IN_A_BUILD
    assert (owned.parent, owned.phase, owned.born) == ("Thing#1", Phase.ENGINE, Call.ATTACH_TO_CONTEXT)


def test_a_shared_part_makes_copies_for_the_wholes_that_still_can():
    lives, first, second, part, child = Lives(), Thing(), Thing(), Thing(), Thing()
    for whole in (first, second):
        lives.join(whole, part, CORE)
    lives.advance(second, Call.DESTROY, V3)
    claim(lives, child, Call.ATTACH_TO_CONTEXT, part, V3)
    assert lives.stage_of(child) is Stage.ATTACHED_IN_A_BUILD
    lives.advance(first, Call.DESTROY, V3)
    with pytest.raises(LifecycleError):
        claim(lives, Thing(), Call.ATTACH_TO_CONTEXT, part, V3)


def test_without_order_even_a_destroyed_object_makes_copies():
    lives, parent, child = UnorderedGate(), Thing(), Thing()
    lives.advance(parent, Call.DESTROY)
    claim(lives, child, Call.CLONE, parent)
    assert lives.stage_of(child) is Stage.CREATED


def test_an_engines_object_that_attached_itself_stands_as_attached():
    lives, thing = Lives(), Thing()
    claim(lives, thing, Call.CREATE_PLUGIN, None, V3)
    claim(lives, thing, Call.ATTACH_TO_CONTEXT, thing, V3)
    assert lives.stage_of(thing) is Stage.ATTACHED
    lives.advance(thing, Call.SET_TACTIC, V3)
    claim(lives, thing, Call.ATTACH_TO_CONTEXT, thing, V3)
    assert lives.stage_of(thing) is Stage.ATTACHED_TACTIC_SET
