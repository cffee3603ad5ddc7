"""The ledger of a library's heap, on a small library of C."""

import ctypes

import pytest

from reference_runtime.native.elf import reading
from reference_runtime.native.heap.ledger import Heap
from tests.support import native_build

CODE = r"""
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

template <typename T> __attribute__((noinline)) T* kept(T* given) { asm volatile("" : "+r"(given)); return given; }

extern "C" {
static char* theBlock;
void* held() { return theBlock = kept(new char[7]); }
void frees_held() { delete[] theBlock; }
void* before() { return std::malloc(5); }
void sound() {
    std::string text(100, 'x');
    text += std::string(300, 'y');
    std::vector<int> numbers;
    for (int number = 0; number < 100; ++number) numbers.push_back(number);
    std::free(std::realloc(kept(std::malloc(3)), 500));
    std::free(kept(strdup("from the C library")));
    std::free(kept(std::calloc(3, 4)));
}
void frees(void* block) { std::free(std::realloc(block, 50)); }
void loses() { kept(new int[7]); }
void twice() { int* one = kept(new int); delete one; delete kept(one); }
void unlike() { delete kept(new int[3]); }
void beyond() { char* text = kept(new char[3]); text[3] = 0; delete[] kept(text); }
void after() { char* text = kept(new char[3]); delete[] kept(text); kept(text)[0] = 1; }
int fresh() { unsigned char* one = kept(new unsigned char); int held = *one; delete one; return held; }
int zeroed() {
    char* some = static_cast<char*>(kept(std::calloc(2, 2)));
    int held = some[3];
    std::free(some);
    return held;
}
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    source = tmp_path_factory.mktemp("heap") / "heap.cpp"
    source.write_text(CODE)
    file = native_build.library(source)
    loaded = ctypes.CDLL(str(file))
    loaded.before.restype, loaded.frees.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    return loaded, Heap(reading.read(file))


def kept_of(library, function, **settings):
    loaded, heap = library
    with heap.ledger(**settings) as ledger:
        getattr(loaded, function)()
    return ledger


def test_sound_code_has_no_entry(library):
    ledger = kept_of(library, "sound")
    assert (ledger.blocks, ledger.misuses) == ({}, [])


def test_a_block_from_before_is_passed_through(library):
    loaded, heap = library
    block = loaded.before()
    with heap.ledger() as ledger:
        loaded.frees(block)
    assert (ledger.blocks, ledger.misuses) == ({}, [])


def test_what_is_lost_is_known_with_its_function(library):
    ledger = kept_of(library, "loses")
    (block,) = ledger.blocks.values()
    assert (block.size, block.maker) == (28, "new[]")
    assert "loses in " in ledger.stack_of(block)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("twice", "delete of a block of 4 bytes that was freed before"),
        ("unlike", "delete of a block of 12 bytes that new[] made"),
        ("beyond", "a write behind the end of a block of 3 bytes"),
        ("after", "a write to a block of 3 bytes after it was freed"),
    ],
)
def test_a_misuse_is_noted_with_its_function(library, function, said):
    ((what, stack),) = kept_of(library, function).misuses
    assert what == said
    assert f"{function} in " in stack


def test_new_memory_holds_what_was_asked_for(library):
    loaded, heap = library
    with heap.ledger(fill=0x5A):
        assert (loaded.fresh(), loaded.zeroed()) == (0x5A, 0)


def test_after_the_ledger_the_library_calls_the_allocators_again(library):
    kept_of(library, "sound")
    library[0].sound()
    assert library[1].in_use() > 0
    assert kept_of(library, "loses", keeps=False).freed == {}


def test_a_ledger_knows_what_is_wrong_with_memory_that_is_given_out(library):
    loaded, heap = library
    loaded.held.restype = ctypes.c_void_p
    with heap.ledger():
        block = loaded.held()
        sayings = [heap.wrong_with(block, 7), heap.wrong_with(block + 6, 2)]
        loaded.frees_held()
        sayings.append(heap.wrong_with(block + 1, 1))
    assert sayings == ["", "ends 1 bytes beyond its block of 7 bytes", "is in a block of 7 bytes that was freed"]
    assert heap.wrong_with(block, 1) == ""
