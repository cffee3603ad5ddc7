"""A stand-in is a shared library that the loader takes: its functions are callbacks, and other libraries find it."""

import ctypes
import itertools

from reference_runtime.native.elf import reading
from reference_runtime.native.elf.loading import MACHINE, Pairs, load_stand_in
from reference_runtime.native.elf.writing import stand_in

NUMBERS = itertools.count()
Unary = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


def loaded(callbacks, versions=None):
    return load_stand_in(f"libtest_stand_in_{next(NUMBERS)}.so.1", callbacks, versions)


def test_its_functions_are_callbacks():
    library = loaded({"one_more": Unary(lambda number: number + 1), "twice": Unary(lambda number: 2 * number)})
    assert (library.one_more(4), library.twice(4)) == (5, 8)


def test_its_symbols_can_have_versions():
    library = loaded({"versioned": Unary(lambda number: number)}, {"versioned": "libcudart.so.13"})
    assert library.versioned(3) == 3


def test_what_was_written_can_be_read(tmp_path):
    file = tmp_path / "libwritten.so"
    file.write_bytes(stand_in("libwritten.so.7", ["first", "second"], machine=MACHINE, pairs=1))
    found = reading.read(file)
    assert found.soname == "libwritten.so.7"
    assert {"first", "second", "standin_pair_0"} <= found.exported
    assert (found.needed, found.undefined, found.build_id) == ((), (), "")


def test_a_pair_is_returned_in_two_registers():
    class Info(ctypes.Structure):
        _fields_ = (("kind", ctypes.c_char_p), ("major", ctypes.c_int32), ("minor", ctypes.c_int32))

    found = ctypes.CFUNCTYPE(Info)(Pairs().function("ILogger", 1, 2))()
    assert (found.kind, found.major, found.minor) == (b"ILogger", 1, 2)
