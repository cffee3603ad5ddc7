"""Architectures are read from the headers of fat binaries, as nvcc writes them one after the other."""

import struct

from reference_runtime.native.cuda.fatbin import architectures_in

PTX, MACHINE_CODE = 1, 2


def entry(kind, number, payload):
    head = struct.pack("<HHIQIIHHI", kind, 0x101, 64, len(payload), 0, 0, 0, 0, number)
    return head.ljust(64, b"\0") + payload


def fat_binary(*entries):
    content = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(content)) + content


def test_each_architecture_is_told_once_with_its_kind():
    first = fat_binary(entry(MACHINE_CODE, 80, bytes(24)), entry(MACHINE_CODE, 90, bytes(8)))
    second = fat_binary(entry(PTX, 90, bytes(16)), entry(MACHINE_CODE, 90, bytes(8)))
    assert architectures_in(first + bytes(8) + second) == ["compute_90", "sm_80", "sm_90"]


def test_what_is_no_fat_binary_or_ends_early_is_left_out():
    assert architectures_in(b"") == []
    assert architectures_in(bytes(100)) == []
    assert architectures_in(fat_binary(entry(MACHINE_CODE, 80, bytes(8)))[:40]) == []
