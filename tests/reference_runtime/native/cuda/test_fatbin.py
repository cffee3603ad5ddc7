"""Architectures are read from the headers of fat binaries, as nvcc writes them one after the other."""

import struct

import pytest

from reference_runtime.native.cuda.fatbin import architectures_in, need_compilation

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


@pytest.mark.parametrize(
    ("kernels", "needs"),
    [
        ((), False),
        (("compute_90", "sm_90"), False),
        (("sm_80", "sm_86"), True),  # Ampere's machine code
        (("compute_89", "sm_89"), True),
        (("compute_75",), True),
    ],
)
def test_the_driver_compiles_what_has_no_machine_code_for_the_gpu(kernels, needs):
    assert need_compilation(kernels, "90") is needs


def test_machine_code_runs_on_later_gpus_of_its_generation():
    assert not need_compilation(["sm_80"], "86")
    assert need_compilation(["sm_89"], "86")


def test_what_is_no_fat_binary_or_ends_early_is_left_out():
    assert architectures_in(b"") == []
    assert architectures_in(bytes(100)) == []
    assert architectures_in(fat_binary(entry(MACHINE_CODE, 80, bytes(8)))[:40]) == []
