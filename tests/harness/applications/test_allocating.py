"""What output allocators answer."""

import pytest

from harness.applications.allocating import answers, settings
from harness.applications.facts import Room
from tests.support.application_traces import ENOUGH, Script, tensor, tensors


def answer(result, *, memory=0, size=16, room=ENOUGH, dims=(4,), before=None, fresh=False, **rest):
    script = Script()
    call = script.execute(context=tensors(tensor("y", dims=dims)))
    known = {"facts": {"room": room}}
    if before is not None:
        script.answer(call, "reallocate_output", "y", 0, 8, 256, result=before, **known)
    request = script.answer(call, "reallocate_output_async", "y", memory, size, 256, 7, result=result, **known, **rest)
    if fresh:
        script.memory(result)
    found = list(answers(script.trace))
    assert found[-1].callback is request
    return found[-1]


@pytest.mark.parametrize(
    ("made", "is_new", "is_kept"),
    [
        ({"fresh": True}, True, False),
        ({}, False, False),
        ({"memory": 0x1000}, False, True),
        ({"before": 0x1000}, False, True),
        ({"before": 0x9000}, False, False),
    ],
)
def test_new_memory_is_told_from_what_was_given_before(made, is_new, is_kept):
    found = answer(0x1000, **made)
    assert (found.is_new, found.is_kept) == (is_new, is_kept)


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ({}, ""),
        ({"size": 17}, "16 bytes for a request of 17"),
        ({"room": None}, "0x1000 is in no device memory"),
        ({"room": Room(16, is_freed=True)}, "the memory was freed"),
    ],
)
def test_memory_is_as_large_as_was_asked_for(made, wrong):
    assert answer(0x1000, **made).wrong == wrong


def test_memory_is_aligned_and_none_is_no_memory():
    assert answer(0x1008).wrong == "0x1008 is not a multiple of 256"
    nothing = answer(None)
    assert (nothing.wrong, nothing.has_memory, nothing.is_address) == ("", False, True)


def test_an_answer_is_an_address():
    assert answer(5).is_address
    assert not answer("<ndarray>").is_address
    assert answer(None, error="MemoryError: no").is_address


@pytest.mark.parametrize(
    ("dims", "size", "is_empty"), [((0, 2), 1, True), ((-1, 2), 1, True), ((-1, 2), 8, False), ((1,), 1, False)]
)
def test_an_empty_output_is_known_by_its_extents_or_by_the_request(dims, size, is_empty):
    assert answer(None, dims=dims, size=size).is_empty is is_empty


def test_an_allocator_that_is_taken_away_is_none():
    script = Script()
    script.call("set_output_allocator", name="y", output_allocator=None)
    given = script.call("set_output_allocator", name="y", output_allocator="Buffers 1")
    assert list(settings(script.trace)) == [given]
