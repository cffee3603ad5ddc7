"""The environment in which AddressSanitizer watches a library, and the libraries for which there is none."""

from pathlib import Path

import pytest

from harness.process import address_sanitizer, own_clock

HEAD = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00"


class Told:
    def __init__(self, text):
        self.stdout = text


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """Have a compiler that knows some libraries, and return what it was asked."""
    known = {name: tmp_path / name for name in ("libasan.so", "libasan.so.8", "libstdc++.so.6")}
    asked = []

    def output_of(command, seconds):
        assert seconds > 0
        name = command[-1].partition("=")[2]
        asked.append(name)
        return Told(f"{known.get(name, name)}\n")

    monkeypatch.setattr(own_clock, "output_of", output_of)
    monkeypatch.setattr(address_sanitizer.shutil, "which", lambda name: f"/usr/bin/{name}")
    return asked


def library(folder, content):
    made = folder / "libone.so"
    made.write_bytes(content)
    return made


def test_the_library_of_the_compiler_is_loaded_first_and_users_settings_are_kept(tmp_path, compiler):
    ours = {"LD_PRELOAD": "libmine.so", "ASAN_OPTIONS": "verbosity=1"}
    found = address_sanitizer.environment(library(tmp_path, HEAD), ours)
    names = [Path(each).name for each in found["LD_PRELOAD"].split()]
    assert names == ["libasan.so", "libstdc++.so.6", "libmine.so"]
    assert found["ASAN_OPTIONS"].startswith("verbosity=1:detect_leaks=0")
    assert compiler == ["libasan.so", "libstdc++.so.6"]


def test_a_library_that_was_built_with_it_gets_the_version_that_it_needs(tmp_path, compiler):
    address_sanitizer.environment(library(tmp_path, HEAD + b"\0libasan.so.8\0\0__asan_init\0"), {})
    assert compiler[0] == "libasan.so.8"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"text", "is no library for Linux on x86-64"),
        (HEAD.replace(b"\x3e", b"\xb7"), "is no library for Linux on x86-64"),
        (HEAD + b"\0__asan_init\0", "was built with the AddressSanitizer of Clang"),
        (HEAD + b"\0libasan.so.99\0", "there is no libasan.so.99: install GCC"),
    ],
    ids=["no library", "another processor", "Clang", "another version"],
)
@pytest.mark.usefixtures("compiler")
def test_what_cannot_be_watched_is_refused_with_the_reason(tmp_path, content, words):
    with pytest.raises(address_sanitizer.UnusableError, match=words):
        address_sanitizer.environment(library(tmp_path, content), {})
