"""Find the library of GCC's AddressSanitizer, and the environment variables that load it into a process."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.process import own_clock

NAME: Final = "AddressSanitizer"
#: The AddressSanitizer library, in one version, that an instrumented library needs.
_NEEDED: Final = re.compile(rb"\0(libasan\.so\.\d+)\0")
#: The function that all instrumented code calls. The name of Clang's AddressSanitizer library has no version.
_CALLED: Final = b"\0__asan_init\0"
#: The name for a library that is not instrumented: any version will do.
_ANY: Final = "libasan.so"
#: AddressSanitizer intercepts C++ exceptions, and looks for the original functions in this library when it starts.
_STANDARD: Final = "libstdc++.so.6"
_COMPILERS: Final = ("g++", "gcc", "c++", "cc")
_SECONDS: Final = 10.0
#: A file for Linux on x86-64 begins with `_ELF`, and has `_X86_64` in its bytes `_PROCESSOR`.
_ELF, _PROCESSOR, _X86_64 = b"\x7fELF\x02", slice(18, 20), b"\x3e\x00"
#: Rules look for leaks, so AddressSanitizer does not. After any other report, the process ends and dumps its stack.
_OPTIONS: Final = "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1"


class UnusableError(Exception):
    """A library cannot run under AddressSanitizer; the argument says why."""


def environment(library: Path, ours: Mapping[str, str]) -> dict[str, str]:
    """Return the variables to set in a process that loads a library; ``ours`` is the environment that they extend.

    Raises:
        UnusableError: The library is for another machine, or there is no AddressSanitizer for it.
    """
    content = library.read_bytes()
    if not content.startswith(_ELF) or content[_PROCESSOR] != _X86_64:
        raise UnusableError(f"{library} is no library for Linux on x86-64")
    named = _NEEDED.search(content)
    if named is None and _CALLED in content:
        raise UnusableError(f"{library} was built with the {NAME} of Clang: build it with g++")
    name = named[1].decode() if named else _ANY
    libraries = [_path_of(each) for each in (name, _STANDARD)]
    if None in libraries:
        raise UnusableError(f"there is no {name}: install GCC, of the version that built the library if it needs it")
    preloaded = " ".join(filter(None, (*libraries, ours.get("LD_PRELOAD"))))
    return {
        "LD_PRELOAD": preloaded,
        "ASAN_OPTIONS": ":".join(filter(None, (ours.get("ASAN_OPTIONS"), _OPTIONS))),
    }


def _path_of(name: str) -> str | None:
    """Return the path of a library, from the first installed compiler that knows it; None if no compiler does."""
    for compiler in filter(None, map(shutil.which, _COMPILERS)):
        try:
            path = own_clock.output_of([compiler, f"-print-file-name={name}"], seconds=_SECONDS).stdout.strip()
        except (OSError, subprocess.TimeoutExpired):
            continue
        if Path(path).is_absolute():
            return str(Path(path).resolve())
    return None
