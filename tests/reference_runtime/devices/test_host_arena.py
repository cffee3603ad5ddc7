from __future__ import annotations

import pytest

from reference_runtime.devices import host
from reference_runtime.devices.base import GUARD
from reference_runtime.devices.records import FaultKind

SIZE = 4096
OFFSET = 1024


@pytest.fixture
def device():
    return host.HostDevice()


@pytest.fixture
def memory(device):
    return device.allocate(SIZE, label="arena")


@pytest.fixture
def arena(device, memory):
    return device.arena(memory.address, SIZE, shared=False)


def test_a_piece_has_exact_bounds_while_it_is_lent(device, arena):
    piece = arena.piece(OFFSET, 100, label="workspace")
    arena.lend(piece)
    assert piece.address == arena.address + OFFSET
    assert bytes(host.view(piece.address, 100)) == bytes([host.poison_byte(0)]) * 100
    with pytest.raises(host.DeviceFault, match="1 bytes past its end"):
        host.view(piece.address, 101)
    assert device.faults[0].label == "workspace"
    arena.take_back(piece)
    assert bytes(host.view(piece.address, 101)) == bytes([host.poison_byte(0)]) * 101


def test_what_was_lent_before_leaves_poison_and_the_next_piece_its_own_data(device, arena):
    first, second = arena.piece(OFFSET, 64, label="first"), arena.piece(OFFSET, 32, label="second")
    arena.lend(first)
    view = host.view(first.address, 64)
    view[:] = bytes(64)
    arena.take_back(first)
    assert 0 not in bytes(view)
    arena.lend(second)
    host.view(second.address, 32)[:] = bytes(range(32))
    assert bytes(view[:32]) == bytes(range(32))
    arena.take_back(second)
    arena.close()
    assert device.faults == []


def test_damage_to_a_guard_band_is_a_fault(device, arena):
    piece = arena.piece(OFFSET, 64, label="tensor 'x'")
    arena.lend(piece)
    piece._memory[GUARD + 64 : GUARD + 67] = 0
    piece._memory[GUARD - 1] = 0
    arena.take_back(piece)
    assert [(fault.kind, fault.label) for fault in device.faults] == [(FaultKind.OVERWRITTEN, "tensor 'x'")] * 2
    assert device.faults[0].address == piece.address - 1
    assert (device.faults[1].address, device.faults[1].nbytes) == (piece.address + 64, 3)


def test_writing_through_an_address_that_was_kept_is_a_fault_when_the_memory_is_lent_again(device, arena):
    piece = arena.piece(OFFSET, 64, label="tensor 'x'")
    arena.lend(piece)
    kept = host.view(piece.address, 64)
    arena.take_back(piece)
    kept[3] = 1
    arena.lend(piece)
    assert "an address was used too late" in device.faults[0].sentence
    arena.take_back(piece)
    assert len(device.faults) == 1


def test_an_arena_is_searched_once_more_when_it_goes(device, arena):
    host.view(arena.address + 5, 2)[:] = b"ab"
    arena.close()
    assert (device.faults[0].kind, device.faults[0].address) == (FaultKind.OVERWRITTEN, arena.address + 5)


def test_shared_memory_may_hold_anything_between_executions(device, memory):
    memory.fill(1)
    shared = device.arena(memory.address, SIZE, shared=True)
    piece = shared.piece(OFFSET, 64, label="x")
    memory.fill(2)
    shared.lend(piece)
    assert bytes(host.view(piece.address, 64)) == bytes([host.poison_byte(0)]) * 64
    shared.take_back(piece)
    shared.close()
    assert device.faults == []


def test_a_piece_cannot_be_freed(device, arena):
    piece = arena.piece(OFFSET, 64, label="x")
    arena.lend(piece)
    with pytest.raises(host.DeviceFault, match="is not the beginning of an allocation"):
        host.free(piece.address)
    assert device.faults[0].kind is FaultKind.BAD_FREE
    arena.take_back(piece)


def test_an_arena_lies_in_memory_that_is_there(device, memory):
    with pytest.raises(host.DeviceFault, match="past its end"):
        device.arena(memory.address, SIZE + 1, shared=True)
    device.reach(memory.address, SIZE)
    assert device.is_address(memory.address)
    assert not device.is_address(12)


def test_work_is_ordered_by_marks(device):
    one, other = device.new_stream(), device.new_stream()
    mark = device.mark(one.handle)
    assert device.comes_after(one.handle, mark)
    assert not device.comes_after(other.handle, mark)
    device.wait(other.handle, mark)
    assert device.comes_after(other.handle, mark)
    third = device.mark(one.handle)
    device.synchronize()
    assert device.comes_after(other.handle, third)


def test_an_event_of_the_application_is_recorded(device):
    stream, event = device.new_stream(), device.new_event()
    device.record_event(event.handle, stream=stream.handle)
    assert event.stream == stream.handle


def test_of_a_large_arena_the_ends_of_its_pieces_are_searched(device):
    size = 1 << 27
    large = device.arena(device.allocate(size, label="arena").address, size, shared=False)
    piece = large.piece(OFFSET, size // 2, label="workspace")
    large.lend(piece)
    large.take_back(piece)
    large.close()
    assert device.faults == []
    piece.payload[-1] = 1
    large.close()
    assert [(fault.kind, fault.label) for fault in device.faults] == [(FaultKind.OVERWRITTEN, "workspace")]
