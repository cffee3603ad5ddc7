"""The first child of a run starts before this process has loaded what only the rest of the run needs."""

import subprocess
import sys

import pytest

LATER = ("harness.controller.run", "harness.frontends.pytest_plugin.hooks", "harness.reports.document")


@pytest.mark.real_processes
def test_what_the_child_does_not_wait_for_is_loaded_after_its_start():
    code = "import sys; import harness.frontends.pytest_plugin.configure; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()  # noqa: S603 - ours
    assert "harness.controller.prepare" in loaded
    assert set(loaded).isdisjoint(LATER)
