"""A library that was built with AddressSanitizer is certified like any other; what it finds is a verdict."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import native_build

pytestmark = pytest.mark.nightly

FAULTY = native_build.EXAMPLES.parent / "faulty" / "native" / "scale.cpp"


@pytest.mark.parametrize(
    ("flags", "status"), [((), 0), (("-DFAULT_clone_writes_too_far",), 1)], ids=["sound", "faulty"]
)
def test_the_sanitizer_judges(tmp_path, flags, status):
    compiler = ["g++", "-print-file-name=libasan.so"]
    sanitizer = subprocess.run(compiler, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    if not Path(sanitizer).is_absolute():
        pytest.skip("g++ has no AddressSanitizer")
    library = native_build.library(FAULTY, "-fsanitize=address", *flags)
    options = [f"--plugin-library={library}", "--plugin-select=CLN-006", "--plugin-addresses=host"]
    settings = {"LD_PRELOAD": sanitizer, "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1"}
    done = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-m", "pytest", "-q", *options],
        cwd=tmp_path,
        env=os.environ | settings | {"PYTHONPATH": str(native_build.EXAMPLES.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert ("heap-buffer-overflow" in done.stdout) is bool(flags)
