"""Whether calls of C++ objects leave anything: in the object, behind it, or in variables."""

import ctypes
import types

import pytest

from reference_runtime.native.elf import reading
from reference_runtime.native.heap.kept_memory import KeptMemory
from reference_runtime.native.heap.ledger import Heap
from tests.support import native_build

CODE = r"""
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct Part { virtual ~Part() = default; int number{}; };
struct Whole : Part {
    int member{};
    std::string name{"a name that is longer than the string's own memory"};
    std::unique_ptr<std::vector<int>> numbers{new std::vector<int>(8)};
    int* middle{numbers->data()};
    int garbage[16];
};
static int variable;
void* pointer;
static Whole fixed;

extern "C" {
void* make() { return new Whole; }
// What was never written may be a pointer by chance: so it is zero here.
void* made_before() { return new (std::calloc(1, sizeof(Whole))) Whole; }
void point_to(void* place) { pointer = place; }
void* of_the_library() { return &fixed; }
void drop(Whole* one) { delete one; }
void nothing(Whole* one) { std::string copy{one->name + "!"}; one->member = one->member; }
void member(Whole* one) { ++one->member; }
void text(Whole* one) { one->name[30] = 'X'; }
void behind(Whole* one) { one->numbers->back() = 1; }
void in_the_middle(Whole* one) { one->numbers->at(4) = 1; }
void grows(Whole* one) { one->numbers->push_back(1); }
void global(Whole*) { ++variable; }
void static_object(Whole*) { fixed.member++; }
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    source = tmp_path_factory.mktemp("kept") / "kept.cpp"
    source.write_text(CODE)
    file = native_build.library(source)
    loaded = ctypes.CDLL(str(file))
    loaded.make.restype = loaded.made_before.restype = loaded.of_the_library.restype = ctypes.c_void_p
    return loaded, reading.read(file)


def called(loaded, kept, name, proxy):
    kept.begin(proxy)
    getattr(loaded, name)(ctypes.c_void_p(proxy.this))
    if name == "drop":
        proxy.this = 0
    kept.end(proxy)


def found(library, *names, make="make"):
    loaded, file = library
    with Heap(file).ledger(keeps=False) as ledger:
        kept = KeptMemory(file, ledger.blocks)
        proxy = types.SimpleNamespace(this=getattr(loaded, make)())
        for name in names:
            called(loaded, kept, name, proxy)
        return kept.may_have_changed


@pytest.mark.parametrize("name", ["member", "text", "behind", "in_the_middle", "grows", "global", "static_object"])
def test_what_a_call_leaves_is_found(library, name):
    assert found(library, "nothing", name)


def test_a_call_that_leaves_nothing_keeps_nothing(library):
    assert not found(library, "nothing", "nothing", "drop")


def test_an_object_that_is_gone_is_not_compared_with_the_next_at_its_address(library):
    loaded, file = library
    with Heap(file).ledger(keeps=False) as ledger:
        kept = KeptMemory(file, ledger.blocks)
        for _ in range(3):
            proxy = types.SimpleNamespace(this=loaded.make())
            for name in ("nothing", "drop"):
                called(loaded, kept, name, proxy)
        assert not kept.may_have_changed


def test_an_object_among_the_variables_is_compared_as_they_are(library):
    assert not found(library, "nothing", make="of_the_library")
    assert found(library, "member", make="of_the_library")


@pytest.mark.parametrize(("name", "keeps"), [("nothing", False), ("member", True), ("text", True)])
def test_an_object_from_before_is_compared_too(library, name, keeps):
    loaded, file = library
    proxy = types.SimpleNamespace(this=loaded.made_before())
    with Heap(file).ledger(keeps=False) as ledger:
        kept = KeptMemory(file, ledger.blocks)
        called(loaded, kept, name, proxy)
        assert kept.may_have_changed is keeps


def test_a_pointer_to_memory_that_is_no_block_may_lead_to_anything(library):
    elsewhere = ctypes.create_string_buffer(64)
    loaded, _ = library
    loaded.point_to(ctypes.byref(elsewhere, 8))
    try:
        assert found(library, "nothing")
    finally:
        loaded.point_to(None)
