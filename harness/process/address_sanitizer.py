"""GCC's AddressSanitizer: where its library is, and the environment of a process whose allocator it replaces."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.process import own_clock

NAME: Final = "AddressSanitizer"
#: A library that was built with it needs the library of one version.
_NEEDED: Final = re.compile(rb"\0(libasan\.so\.\d+)\0")
#: What code that was built with it calls; Clang's library has another name, and no version.
_CALLED: Final = b"\0__asan_init\0"
_ANY: Final = "libasan.so"
#: Exceptions of C++ are thrown through it, so it must be loaded before.
_STANDARD: Final = "libstdc++.so.6"
_COMPILERS: Final = ("g++", "gcc", "c++", "cc")
_SECONDS: Final = 10.0
#: How a file for Linux on x86-64 begins, and where it says so: ELF with 64 bits, and the kind of processor.
_ELF, _PROCESSOR, _X86_64 = b"\x7fELF\x02", slice(18, 20), b"\x3e\x00"
#: The rules find leaks; other reports end the process, whose stack is then written.
_OPTIONS: Final = "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1"


class UnusableError(Exception):
    """A library cannot run with it; the argument says why."""


def environment(library: Path, ours: Mapping[str, str]) -> dict[str, str]:
    """Return what to add to the environment of a process that loads a library.

    Raises:
        UnusableError: The library is for another machine, or there is no AddressSanitizer for it.
    """
    content = library.read_bytes()
    if not content.startswith(_ELF) or content[_PROCESSOR] != _X86_64:
        raise UnusableError(f"{library} is no library for Linux on x86-64")
    named = _NEEDED.search(content)
    if named is None and _CALLED in content:
        raise UnusableError(f"{library} was built with the {NAME} of Clang: build it with g++")
    wanted = named[1].decode() if named else _ANY
    found = [_found(name) for name in (wanted, _STANDARD)]
    if None in found:
        raise UnusableError(f"there is no {wanted}: install GCC, of the version that built the library if it needs it")
    preloaded = " ".join(filter(None, (*found, ours.get("LD_PRELOAD"))))
    return {
        "LD_PRELOAD": preloaded,
        "ASAN_OPTIONS": ":".join(filter(None, (ours.get("ASAN_OPTIONS"), _OPTIONS))),
    }


def _found(name: str) -> str | None:
    """Return the path of a library that a compiler links against; None if none of them knows it."""
    for compiler in filter(None, map(shutil.which, _COMPILERS)):
        try:
            told = own_clock.output_of([compiler, f"-print-file-name={name}"], seconds=_SECONDS).stdout.strip()
        except (OSError, subprocess.TimeoutExpired):
            continue
        if Path(told).is_absolute():
            return str(Path(told).resolve())
    return None
