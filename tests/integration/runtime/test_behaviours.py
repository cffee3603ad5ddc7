"""The measured cases of the genuine bindings (10.16.1.11, CPython 3.11), run against the reference runtime.

A case assigns ``result``, with ``trt`` and ``np`` in scope. It holds when the result, the class of the exception, its
message, the text on file descriptor 2 and the warnings are the measured ones. CPython words some messages itself, and
differently in each version, so messages are compared on 3.11 only.
"""

import json
import pathlib
import re
import sys
import warnings

import numpy as np
import pytest

import reference_runtime as trt

CASES = {
    case["id"]: case
    for case in json.loads((pathlib.Path(__file__).parents[2] / "data" / "runtime" / "behaviours.json").read_text())
}

COUNT = 1006


def undo_what_cases_assign():
    vars(trt.TensorRTPhase).get("FOO") is None or delattr(trt.TensorRTPhase, "FOO")


@pytest.mark.parametrize("about", sorted({name.partition(".")[0] for name in CASES}))
def test_behaves_as_measured(about, capfd):
    wrong = {}
    for name, case in CASES.items():
        if name.partition(".")[0] == about and (found := differences(case, capfd)):
            wrong[name] = found
        undo_what_cases_assign()
    assert wrong == {}


def test_no_case_is_left_out():
    assert len(CASES) == COUNT


def differences(case, capfd):
    """Return what is not as measured: {aspect: (measured, observed)}."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        observed = run(case["code"])
    observed["stderr"] = without_our_frames(capfd.readouterr().err)
    observed["warnings"] = [
        f"{one.category.__name__}: {one.message}" for one in warned if one.category is not ResourceWarning
    ]
    measured = {
        "stderr": "",
        "warnings": [],
        **case["expect"],
        **{k: case[k] for k in ("stderr", "warnings") if k in case},
    }
    return {
        aspect: (value, observed.get(aspect, "nothing of the kind"))
        for aspect, value in measured.items()
        if aspect not in observed or not agrees(aspect, value, observed[aspect])
    }


def run(code):
    scope = {"trt": trt, "np": np, "__name__": "case"}
    try:
        exec(compile(code, "<case>", "exec"), scope)  # noqa: S102 - the cases are measured as code
    except Exception as error:  # noqa: BLE001 - the class of any exception is what is compared
        if str(error).startswith("module 'reference_runtime' has no attribute"):
            return {"missing": str(error)}
        return {"raises": [cls.__name__ for cls in type(error).__mro__], "message": str(error)}
    return {"equals": plain(scope["result"]), "repr": repr(scope["result"])}


def agrees(aspect, measured, observed):
    if aspect == "raises":
        return measured in observed
    if aspect == "message":
        return sys.version_info[:2] != (3, 11) or re.search(measured, observed) is not None
    return observed == measured


def plain(value):
    def encode(item):
        return item.tolist() if isinstance(item, (np.ndarray, np.generic)) else repr(item)

    return json.loads(json.dumps(value, default=encode))


def without_our_frames(text):
    """Drop the frames below the case: those of this test and of pytest."""
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not re.match(r"  .*\(\d+\): ", line) or line.startswith("  <case>")
    )
