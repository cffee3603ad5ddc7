"""C++ plugins compiled for tests: by the system's g++ with headers of our own, each source and set of flags once."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from abi_headers import write

from reference_runtime.native.abi import facts

EXAMPLES = Path(__file__).parents[2] / "plugin_examples" / "native"
_FLAGS = ("-std=c++17", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wno-overloaded-virtual",
          "-Wno-unused-parameter", "-Werror=return-type")  # fmt: skip


@functools.cache
def headers(epoch="10"):
    """Return the folder of the headers of an epoch."""
    return _made(f"headers-{epoch}-{_digest(HEADERS_SOURCE, FACTS)}", lambda folder: write(folder, epoch))


def library(source, *flags, epoch="10", name=""):
    """Return a shared library of a source, with those in the folder of its name; compiled unless it was before.

    Its debug information names the source, so another checkout, which may be gone by then, has a library of its own.
    """
    compiler = shutil.which("g++")
    if compiler is None:
        if os.environ.get("CI"):
            raise RuntimeError("native plugins are tested with g++, which CI must have")
        pytest.skip("NATIVE PLUGINS ARE NOT TESTED: there is no g++")
    name = name or source.stem
    key = hashlib.sha256(repr((flags, epoch, name, str(source))).encode()).hexdigest()[:16]
    include = headers(epoch)
    others = sorted(source.with_suffix("").glob("*.cpp"))

    def build(folder):
        made = folder / f"lib{name}.so"
        subprocess.run(  # noqa: S603 - the compiler of this machine
            [compiler, *_FLAGS, f"-I{include}", *flags, *map(str, [*others, source]), "-o", str(made)], check=True
        )
        cases = source.with_name(f"{source.stem}_cases.py")
        if cases.is_file():
            shutil.copy(cases, folder / f"lib{name}_cases.py")

    beside = source.with_name(f"{source.stem}_cases.py")
    texts = [source, *sorted(source.with_suffix("").glob("*.*")), *([beside] if beside.is_file() else [])]
    digest = _digest(HEADERS_SOURCE, FACTS, *texts)
    return _made(f"{name}-{key}-{digest}", build) / f"lib{name}.so"


HEADERS_SOURCE = Path(__file__).parents[2] / "tools" / "abi_headers.py"
FACTS = Path(facts.__file__).with_name("facts.json")


def _digest(*files):
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def _made(name, make):
    """Return a folder that is made once: whoever comes second finds it whole."""
    home = Path(tempfile.gettempdir()) / f"trt-conformance-native-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    final = home / name
    if not final.is_dir():
        with tempfile.TemporaryDirectory(dir=home) as scratch:
            made = Path(scratch, "made")
            made.mkdir()
            make(made)
            try:
                made.rename(final)
            except OSError:
                if not final.is_dir():
                    raise
    return final
