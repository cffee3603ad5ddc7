"""AddressSanitizer watches the heap of libraries; what it finds is a verdict with the line in C++."""

import json
import os
import subprocess
import sys

import pytest

from harness.process import address_sanitizer
from tests.support import native_build

FAULTY = native_build.EXAMPLES.parent / "faulty" / "native" / "scale.cpp"


@pytest.mark.parametrize(
    ("flags", "owner", "found"),
    [
        pytest.param(("-fsanitize=address",), "DST-003", "", marks=pytest.mark.nightly),
        (("-DFAULT_destroy_deletes_twice",), "DST-003", "double-free"),
        pytest.param(
            ("-DFAULT_destroy_writes_to_freed", "-fsanitize=address"),
            "DST-003",
            "heap-use-after-free, a write of 4 bytes",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            ("-DFAULT_clone_writes_too_far", "-fsanitize=address"),
            "CLN-006",
            "heap-buffer-overflow, a write of 1 bytes",
            marks=pytest.mark.nightly,
        ),
    ],
    ids=["sound", "freed twice", "written when freed", "written too far"],
)
def test_the_sanitizer_judges(tmp_path, flags, owner, found):
    library = native_build.library(FAULTY, *flags)
    try:
        address_sanitizer.environment(library, os.environ)
    except address_sanitizer.UnusableError as error:
        pytest.skip(str(error))
    report = tmp_path / "report.json"
    options = [f"--plugin-library={library}", f"--plugin-select={owner}", "--plugin-addresses=host"]
    done = subprocess.run(  # noqa: S603 - our own
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            *options,
            "--plugin-sanitizer=address",
            f"--plugin-report=json:{report}",
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(native_build.EXAMPLES.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == bool(found), done.stdout + done.stderr
    ((rule,),) = [case["rules"] for case in json.loads(report.read_text())["plugins"]]
    assert rule["verdict"] == ("FAIL" if found else "PASS")
    if found:
        stack = rule["mishap"]["stack"]
        assert f"AddressSanitizer ended the process: {found}" in stack
        assert "scale.cpp:" in stack
