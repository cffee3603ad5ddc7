"""Functions that a library exports under the names of others."""

import pytest

from reference_runtime.native.elf.reading import read
from reference_runtime.native.library.clashes import clashes
from tests.support import native_build


@pytest.fixture
def clashes_of(tmp_path):
    """Return the clashes of a library of some lines of C++."""

    def found(text, *flags):
        source = tmp_path / "exporting.cpp"
        source.write_text(f"#include <cstdlib>\n#include <new>\n{text}")
        return clashes(read(native_build.library(source, *flags)))

    return found


@pytest.mark.parametrize(
    ("text", "clash"),
    [
        ('extern "C" void* getPluginRegistry() { return nullptr; }', ("getPluginRegistry", "TensorRT")),
        ('extern "C" int cudaMalloc(void**, size_t) { return 0; }', ("cudaMalloc", "CUDA")),
        ('extern "C" void free(void*) {}', ("free", "the C or C++ runtime")),
        ("void* operator new[](size_t size) { return malloc(size); }", ("_Znam", "the C or C++ runtime")),
    ],
)
def test_a_name_of_others_is_found(clashes_of, text, clash):
    assert clashes_of(text) == [clash]


@pytest.mark.parametrize(
    "text",
    [
        'extern "C" void cudaCheck() {}',
        "static int cudaFree(void*) { return 0; }\nint used() { return cudaFree(nullptr); }",
        "namespace mine { void* malloc(size_t) { return nullptr; } }",
        'extern "C" [[gnu::weak]] void* malloc(size_t) { return nullptr; }',
        'extern "C" [[gnu::visibility("hidden")]] int cudaMalloc(void**, size_t) { return 0; }',
    ],
    ids=["a_name_of_its_own", "static", "in_a_namespace", "weak", "hidden"],
)
def test_names_of_its_own_are_none(clashes_of, text):
    assert clashes_of(text) == []


def test_the_runtime_of_cpp_itself_is_none(clashes_of):
    assert clashes_of("int* made() { return new int; }", "-static-libstdc++", "-static-libgcc") == []
