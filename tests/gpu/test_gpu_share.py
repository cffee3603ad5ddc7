"""Workers of pytest-xdist take turns over the GPUs; where there are not two, the test is skipped."""

import json

import pytest

from harness.process import gpus

pytest_plugins = ["pytester"]

#: The module notes which GPU its process may use; it does not touch it, since that must not be done before a fork.
NOTING = """
from plugin_examples.bar import *
from plugin_examples.bar_cases import PLUGIN_CASES
import os, pathlib
with pathlib.Path(__file__).with_name("used.txt").open("a") as file:
    print(os.environ.get("PYTEST_XDIST_WORKER"), os.environ.get("CUDA_VISIBLE_DEVICES"), file=file)
"""


@pytest.mark.skipif(gpus.usable() < 2, reason="CuPy finds fewer than two GPUs")
def test_two_workers_use_two_gpus(pytester):
    for name in ("first", "second"):
        pytester.makepyfile(**{name: NOTING})
    options = ("--plugin-module=first", "--plugin-module=second", "--plugin-select=FMT-001,CRE-001")
    result = pytester.runpytest_subprocess("-n2", *options, "--plugin-report=json:report.json")
    notes = {tuple(line.split()) for line in (pytester.path / "used.txt").read_text().splitlines()}
    used = {worker: gpu for worker, gpu in notes if worker.startswith("gw")}
    assert len(set(used.values())) == 2, notes
    assert json.loads((pytester.path / "report.json").read_text())["plugins"]
    assert result.ret == 0
