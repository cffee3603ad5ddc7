"""Pages made from the code say what the code says."""

import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.new_rule

ROOT = pathlib.Path(__file__).parents[3]


def test_generated_pages_are_fresh():
    command = [sys.executable, ROOT / "tools" / "generate_pages.py", "--check"]
    result = subprocess.run(  # noqa: S603 - our own script
        command, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
