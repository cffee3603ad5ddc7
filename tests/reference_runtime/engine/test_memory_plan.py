from __future__ import annotations

import random

import pytest

from reference_runtime.devices.base import ALIGNMENT, GUARD
from reference_runtime.engine.memory_plan import Need, lay_out


def bytes_of(layout, need):
    begin = layout.offsets[need.key] - GUARD
    return range(begin, begin + need.slot)


def test_a_dead_piece_is_taken_by_the_next_one_that_fits():
    layout = lay_out([Need("a", 100, 0, 1), Need("b", 100, 1, 2), Need("c", 90, 2, 3)])
    assert layout.offsets["c"] == layout.offsets["a"]
    assert layout.size == 2 * (2 * GUARD + ALIGNMENT)


def test_of_two_dead_pieces_the_one_that_died_last_is_taken():
    needs = [Need("old", 64, 0, 0), Need("wall", 64, 0, 9), Need("new", 64, 0, 1), Need("end", 64, 0, 9)]
    layout = lay_out([*needs, Need("next", 64, 2, 3)])
    assert layout.offsets["next"] == layout.offsets["new"]


def test_neighbouring_holes_become_one():
    needs = [Need("a", 256, 0, 0), Need("b", 256, 0, 1), Need("end", 1, 0, 9)]
    layout = lay_out([*needs, Need("large", 1024, 2, 2)])
    assert layout.offsets["large"] == layout.offsets["a"]


def test_the_arena_grows_from_a_hole_at_its_end():
    layout = lay_out([Need("a", 256, 0, 0), Need("b", 1000, 1, 1)])
    assert layout.offsets["a"] == layout.offsets["b"]
    assert layout.size == 2 * GUARD + 1024


def test_nothing_needs_nothing():
    assert lay_out([]).size == 0


@pytest.mark.parametrize("seed", range(50))
def test_pieces_that_live_together_never_share_a_byte(seed):
    draw = random.Random(seed)  # noqa: S311 - no secret
    needs = []
    for key in range(40):
        first = draw.randrange(20)
        needs.append(Need(key, draw.choice([0, 1, 100, 256, 1000, 5000]), first, first + draw.randrange(5)))
    layout = lay_out(needs)
    for one in needs:
        taken = bytes_of(layout, one)
        assert taken.start >= 0
        assert taken.stop <= layout.size
        assert layout.offsets[one.key] % ALIGNMENT == 0
        for other in needs[one.key + 1 :]:
            if one.first <= other.last and other.first <= one.last:
                there = bytes_of(layout, other)
                assert taken.stop <= there.start or there.stop <= taken.start


def test_a_chain_takes_no_more_room_when_it_grows_longer():
    sizes = {lay_out(Need(key, 100, key, key + 1) for key in range(count)).size for count in (3, 30, 300)}
    assert len(sizes) == 1
