"""Memory that is lent to C++: right at the end of a page, poison afterwards, and not lent again at once."""

import ctypes

import pytest

from reference_runtime.native.exchange.lent_memory import POISON, LentMemory
from reference_runtime.native.exchange.misuses import MisuseError, raise_noted, taken


def test_what_is_lent_is_there_and_poison_later():
    memory = LentMemory()
    with memory.lend(b"one     ", b"2" * 16) as places:
        assert [ctypes.string_at(place, 8) for place in places] == [b"one     ", b"2" * 8]
    assert [ctypes.string_at(place, 8) for place in places] == [bytes([POISON]) * 8] * 2


def test_a_change_of_constants_is_noticed():
    memory = LentMemory()
    with (
        pytest.raises(MisuseError, match="an argument behind a pointer to const was changed"),
        memory.lend(b"constant") as (place,),
    ):
        ctypes.memset(place, 0, 1)


@pytest.mark.parametrize("distance", [1, 8, 296])
def test_a_write_in_front_is_noticed_and_the_next_call_is_not_blamed(distance):
    memory = LentMemory()
    with (
        pytest.raises(MisuseError, match="in front of an argument was written"),
        memory.lend(b"constant", bytes(8), writable=2) as (_, place),
    ):
        ctypes.memset(place - distance, 1, 1)
    for _ in range(100):
        with memory.lend(b"constant"):
            pass
    raise_noted()


def test_a_write_into_the_padding_is_noticed():
    with (
        pytest.raises(MisuseError, match="behind an argument was written"),
        LentMemory().lend(bytes(4), writable=1) as (place,),
    ):
        ctypes.memset(place + 4, 1, 1)


def test_memory_that_forgives_notes_what_it_saw():
    with LentMemory(forgives=True).lend(b"constant") as (place,):
        ctypes.memset(place, 0, 1)
        ctypes.memset(place - 1, 1, 1)
    assert len(taken()) == 2
    assert taken() == []


def test_results_may_be_written():
    memory = LentMemory()
    with memory.lend(bytes(8), b"constant", writable=1) as (place, _):
        ctypes.memset(place, 1, 8)
    raise_noted()


def test_the_end_is_that_of_a_page():
    memory = LentMemory()
    with memory.lend(b"12345678") as (place,):
        assert (place + 8) % 4096 == 0


def test_a_place_is_not_lent_again_at_once():
    memory = LentMemory()
    places = []
    for _ in range(10):
        with memory.lend(b"12345678") as (place,):
            places.append(place)
    assert len(set(places)) == 10


def test_places_are_lent_again_in_the_end():
    memory = LentMemory()
    places = set()
    for _ in range(200):
        with memory.lend(b"12345678") as (place,):
            places.add(place)
    assert len(places) < 50


def test_what_is_large_has_a_place_of_its_own():
    memory = LentMemory()
    with memory.lend(b"x" * 1_000_000) as (place,):
        assert ctypes.string_at(place + 999_990, 10) == b"x" * 10


def test_what_fills_up_to_the_page_is_poison_from_the_first_time_on():
    memory = LentMemory()
    with memory.lend(b"abc") as (place,):
        assert ctypes.string_at(place, 8) == b"abc" + bytes([POISON]) * 5
