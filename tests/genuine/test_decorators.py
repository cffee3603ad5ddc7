"""Our ``tensorrt.plugin`` and NVIDIA's own package, on the reference runtime: what is registered is described alike.

NVIDIA's is the Python in the wheel of the genuine bindings; it is read where it is installed. What it makes of
decorated functions is driven by our runtime, up to an engine that runs.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import typing

import numpy as np
import numpy.typing as npt
import pytest

HERE = pathlib.Path(__file__).parent
EXAMPLES = [
    f"decorated.{name}" for name in ("elementwise_add_qdp", "in_place_add_qdp", "non_zero_qdp", "leaky_relu_aot")
]
REFUSED = json.loads((HERE / "decorators_refused.json").read_text())


def said(side):
    command = [sys.executable, "-m", "harness.child.import_names", str(HERE / "decorators.py"), side]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=HERE.parents[1])  # noqa: S603
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def both():
    """Return what was seen with NVIDIA's package, and with ours."""
    if importlib.util.find_spec("tensorrt_lean_bindings") is None:
        pytest.skip("the genuine bindings are not installed: pip install --group genuine")
    return said("nvidia"), said("ours")


@pytest.mark.parametrize("module", EXAMPLES)
def test_both_describe_an_example_alike(module, both):
    nvidia, ours = both
    assert ours[module] == nvidia[module]


@pytest.mark.parametrize("of_arrays", [False, True])
def test_both_take_and_refuse_the_same(of_arrays, both):
    names = [name for name, text in REFUSED.items() if ("NDArray" in text) == of_arrays]
    assert names
    if of_arrays and typing.get_origin(npt.NDArray[np.int8]) is not np.ndarray:
        pytest.skip("NVIDIA's package does not take the NDArray of NumPy 2.5")
    nvidia, ours = ({name: side["refusals"][name] for name in names} for side in both)
    assert ours == nvidia


def test_both_have_the_same_names(both):
    nvidia, ours = both
    assert ours["names"] == nvidia["names"]


def test_engines_with_either_compute_something(both):
    for side in both:
        done, outputs = side["decorated.leaky_relu_aot"]["outputs"]
        assert done
        assert outputs[0][:3] == [-0.25, 0.0, 1.0]


def test_there_are_refusals_and_results_to_compare(both):
    found = both[0]["refusals"].values()
    raised = [each for each in found if isinstance(each, list) and each and str(each[0]).endswith("Error")]
    assert len(raised) > 90
    assert len(found) - len(raised) > 40
