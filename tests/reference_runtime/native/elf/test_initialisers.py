"""The static initialisers of source files are found, and a copy of the file has them in the reverse order."""

import pytest

from reference_runtime.native.elf.initialisers import of_files, reversed_order
from reference_runtime.native.elf.reading import read
from tests.support import native_build

OBJECT = "struct Made { Made(); int value; };\nint one();\nMade::Made() : value{one()} {}\n"


@pytest.fixture
def compiled(tmp_path):
    """Return a library of two source files, the second of which is given."""

    def compile_(text, *flags):
        (tmp_path / "two").mkdir()
        (tmp_path / "two" / "first.cpp").write_text("int one() { return 1; }\n static int first = one();\n")
        source = tmp_path / "two.cpp"
        source.write_text(f"{OBJECT}{text}")
        return read(native_build.library(source, "-Wno-unused", "-O0", *flags))

    return compile_


@pytest.mark.parametrize("flags", [(), ("-Wl,-z,pack-relative-relocs",)], ids=["relocated", "packed"])
def test_the_order_is_reversed(compiled, tmp_path, flags):
    library = compiled("Made mine;", *flags)
    assert of_files(library) == ["_GLOBAL__sub_I_first.cpp", "_GLOBAL__sub_I_two.cpp"]
    file = tmp_path / "reversed.so"
    file.write_bytes(reversed_order(library))
    assert of_files(read(file)) == of_files(library)[::-1]
    assert reversed_order(read(file)) == library.data


def test_one_with_a_priority_keeps_its_place(compiled):
    library = compiled("[[gnu::init_priority(101)]] Made early;\nMade late;")
    assert len(of_files(library)) == 2
    assert any(name.startswith("_GLOBAL__sub_I.00101") for name in library.functions)


def test_nothing_is_known_of_a_library_without_names(compiled):
    library = compiled("Made mine;", "-s")
    assert of_files(library) == []
    assert reversed_order(library) == library.data
