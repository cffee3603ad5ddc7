"""The line table of a library, against the table of the same source that ``addr2line`` reads."""

import shutil
import subprocess

import pytest

from reference_runtime.native.elf import reading
from reference_runtime.native.elf.line_table import rows_of
from tests.support import native_build


def compiled(*flags):
    source = native_build.EXAMPLES / "bar.cpp"
    return reading.read(native_build.library(source, *flags))


@pytest.mark.skipif(not shutil.which("addr2line"), reason="binutils is not installed")
@pytest.mark.parametrize(
    "flags", [("-gdwarf-2",), ("-gdwarf-4", "-O2"), ("-gdwarf-5",), ("-gdwarf-5", "-gz")], ids="".join
)
def test_each_statement_has_the_line_that_binutils_finds(flags):
    library = compiled(*flags)
    last = {row.address: (row.file, row.line) for row in rows_of(library)}
    last = {address: line for address, (file, line) in last.items() if file.endswith("/bar.cpp")}
    command = ["addr2line", "-e", str(library.path), *map(hex, last)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()  # noqa: S603
    found = {address: line.partition(" (")[0] for address, line in zip(last, shown, strict=True)}
    wrong = {address: line for address, line in found.items() if not line.endswith(f"/bar.cpp:{last[address]}")}
    assert len(last) > 40
    assert not wrong


def test_without_debug_information_there_are_no_rows():
    assert rows_of(compiled("-g0")) == []


def test_a_function_that_the_linker_left_out_has_no_rows(tmp_path):
    source = tmp_path / "left_out.cpp"
    source.write_text(
        'extern "C" int kept() { return 1; }\n__attribute__((visibility("hidden"))) int dropped() { return 2; }\n'
    )
    library = reading.read(native_build.library(source, "-ffunction-sections", "-Wl,--gc-sections"))
    assert {row.line for row in rows_of(library) if row.line} == {1}


def test_a_table_that_is_cut_short_ends_there():
    library = compiled("-gdwarf-5")
    whole = library.section(".debug_line")

    class Cut:
        def section(self, name):
            return whole[: len(whole) // 2] if name == ".debug_line" else library.section(name)

    assert rows_of(Cut()) == rows_of(library)[: len(rows_of(Cut()))]
    assert rows_of(Cut())
