"""The memory of this process, read by the kernel."""

import ctypes
import mmap

from reference_runtime.native.elf.own_memory import OwnMemory
from tests.support import native_build


def test_memory_is_read():
    held = ctypes.create_string_buffer(b"some text")
    assert OwnMemory.read(ctypes.addressof(held), 4) == b"some"


def test_where_nothing_is_nothing_is_read():
    assert OwnMemory.read(8, 4) == b""


def test_memory_that_is_new_is_found():
    memory = OwnMemory()
    area = mmap.mmap(-1, 64 * mmap.PAGESIZE)
    place = ctypes.addressof(ctypes.c_char.from_buffer(area))
    assert memory.is_writable(place + 7)


def test_small_numbers_and_code_are_not_writable_memory():
    memory = OwnMemory()
    code = ctypes.cast(ctypes.CDLL(None).malloc, ctypes.c_void_p).value
    assert not any(map(memory.is_writable, [0, 1, 1 << 15, 1 << 60, code]))


def test_memory_right_behind_the_variables_of_a_library_is_not_of_the_library(tmp_path):
    source = tmp_path / "zeros.cpp"
    source.write_text('extern "C" { char zeros[8192]; char* begin() { return zeros; } }')
    library = ctypes.CDLL(str(native_build.library(source)))
    library.begin.restype = ctypes.c_void_p
    begin = library.begin()
    memory = OwnMemory()
    end = next(end for first, end in memory._data if first <= begin < end)
    assert end % mmap.PAGESIZE, "the rest of the page is what is asked about"
    assert [memory.is_writable(place) for place in (begin, end - 1, end, end + 1)] == [False, False, False, True]
