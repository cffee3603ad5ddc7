"""Where tensors and device memory are said to be."""

import pytest

from harness.applications.facts import Room
from harness.applications.places import of_addresses, of_device_memory
from harness.applications.references import Ref
from tests.support.application_traces import Script, tensor, tensors


def wrong_with(**facts):
    script = Script()
    script.execute(context=tensors(tensor("y", **facts)))
    return [place.wrong for place in of_addresses(script.trace)]


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        ({"address": 0x1000}, ""),
        ({"address": 0}, "it has no address"),
        ({"address": 0, "allocator": Ref("Buffers", 1)}, ""),
        ({"address": 0, "is_host": True}, ""),
        ({"address": 0x1010}, "0x1010 is not aligned"),
        ({"address": 0x1010, "is_host": True}, ""),
        ({"address": 0x1000, "room": None}, "0x1000 is in no device memory"),
        ({"address": 0x1000, "room": Room(12, is_freed=False)}, "its memory has 12 bytes, and its shape (4,) needs 16"),
        ({"address": 0x1000, "room": Room(12, is_freed=True)}, ""),
        ({"address": 0x1000, "dims": (-1,), "room": Room(12, is_freed=False)}, ""),
    ],
)
def test_a_tensor_that_is_executed_has_a_place(facts, wrong):
    assert wrong_with(**facts) == [wrong]


def test_an_execution_without_shapes_is_another_matter():
    script = Script()
    script.execute(context=tensors(tensor("y"), missing=("x",)))
    assert list(of_addresses(script.trace)) == []


def test_an_address_is_judged_when_it_is_set():
    script = Script()
    for address in (0x1000, 0x1010):
        script.call("set_tensor_address", name="y", memory=address)
    assert [place.wrong for place in of_addresses(script.trace)] == ["", "0x1010 is not aligned"]


@pytest.mark.parametrize(("is_discarded", "wrong"), [(False, ""), (True, "0x1010 is not aligned")])
def test_a_refused_address_does_not_matter_to_who_sets_another(is_discarded, wrong):
    script = Script()
    script.call("set_tensor_address", name="y", memory=0x1010, facts={"is_discarded": is_discarded})
    script.call("set_tensor_address", name="y", memory=0x1000)
    assert [place.wrong for place in of_addresses(script.trace)] == [wrong, ""]


@pytest.mark.parametrize(
    ("memory", "room", "wrong"),
    [
        ((0x1000, 64), Room(64, is_freed=False), ""),
        ((0, 0), None, "none was given, and the shapes need 64 bytes"),
        ((0x1000, 32), Room(64, is_freed=False), "32 bytes were given, and the shapes need 64"),
        ((0x1000, 64), Room(32, is_freed=False), "behind the address are 32 bytes, and the shapes need 64 bytes"),
        ((0x1000, 64), Room(64, is_freed=True), "behind the address are freed memory, and the shapes need 64 bytes"),
    ],
)
def test_device_memory_is_large_enough(memory, room, wrong):
    script = Script()
    script.execute(context=tensors(memory=memory, needed=64), memory_room=room)
    assert [place.wrong for place in of_device_memory(script.trace)] == [wrong]


def test_device_memory_is_aligned():
    script = Script()
    script.call("set_device_memory", memory=0x1001, size=64)
    script.call("device_memory =", **{"0": 0x1000})
    assert [place.wrong for place in of_device_memory(script.trace)] == ["4097 is not aligned", ""]
