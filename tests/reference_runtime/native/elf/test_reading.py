"""What a shared library says of itself is read from its file, and what is none is refused in words."""

import pathlib

import pytest

from reference_runtime.native.elf.reading import NotALibraryError, read


def a_library():
    """Return some library of this machine that is mapped here."""
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return next(pathlib.Path(line.split()[5]) for line in lines if "libc.so" in line)


def test_a_real_library_is_read():
    found = read(a_library())
    assert found.soname == "libc.so.6"
    assert {"malloc", "free", "dlopen"} <= found.exported
    assert len(found.build_id) == 40
    assert [name for name in found.needed if name.startswith("ld-linux")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no shared library of a 64-bit Linux"),
        (b"\x7fELF\x02\x01", "damaged"),
        (b"#!/bin/sh\n", "no shared library"),
    ],
)
def test_what_is_no_library_is_refused(tmp_path, content, said):
    file = tmp_path / "libnothing.so"
    file.write_bytes(content)
    with pytest.raises(NotALibraryError, match=said):
        read(file)


def test_a_cut_library_is_refused(tmp_path):
    file = tmp_path / "libcut.so"
    file.write_bytes(a_library().read_bytes()[:3000])
    with pytest.raises(NotALibraryError, match=r"damaged|no part of the file"):
        read(file).undefined  # noqa: B018 - reading it raises
