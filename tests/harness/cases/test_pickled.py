"""Cases in memory travel with their functions, or it is told why they cannot."""

import subprocess
import sys
import threading
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

from harness import Case, Input
from harness.cases import pickled
from harness.cases.case import CaseError
from harness.cases.pickled import packed, unpacked

HOME = Path(__file__).parents[3]
INPUT = {"dims": ("n",), "min": (1,), "opt": (2,), "max": (3,), "types": ("float32",)}
SHOWN = """
import sys
from harness.cases.pickled import unpacked
(case,) = unpacked(sys.stdin.read())
assert "test_packed_cases" not in sys.modules
print(case.name, case.fields["scale"].tolist(), case.reference(3), case.inputs[0].values(None, (2,), "f4"))
"""


def helped(number):
    return number * 2


def test_cases_without_functions_need_nothing():
    case = Case(plugin="Bar", fields={"scale": np.float32([2])}, inputs=(Input(**INPUT),))
    (same,) = unpacked(packed([case]))
    assert (same.plugin, same.inputs, same.fields["scale"].tolist()) == ("Bar", case.inputs, [2.0])
    assert unpacked(packed([])) == []


def test_functions_reach_a_process_that_cannot_import_their_module():
    case = Case(
        plugin="Bar",
        name="here",
        fields={"scale": np.float32([2])},
        inputs=(Input(**INPUT, values=lambda _rng, shape, _dtype: shape),),
        reference=lambda x: helped(x) + 1,
    )
    done = subprocess.run(  # noqa: S603 - our own text
        [sys.executable, "-c", SHOWN],
        input=packed([case]),
        env={"PYTHONPATH": str(HOME)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("here [2.0] 7 (2,)\n", "")


def test_nothing_stays_registered():
    before = cloudpickle.list_registry_pickle_by_value()
    packed([Case(plugin="Bar", reference=helped)])
    assert cloudpickle.list_registry_pickle_by_value() == before


def test_what_cannot_travel_is_told():
    lock = threading.Lock()
    with pytest.raises(CaseError, match=r"the cases cannot be carried into the plugin's process .*: write the cases"):
        packed([Case(plugin="Bar", reference=lambda _: lock)])


def test_without_cloudpickle_it_is_told_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(CaseError, match=r"pip install cloudpickle, or write the cases as PLUGIN_CASES"):
        packed([Case(plugin="Bar", reference=helped)])


def test_functions_of_installed_modules_stay_where_they_are():
    assert pickled._own_modules([np.pad, subprocess.run, helped]) == [sys.modules[__name__]]
