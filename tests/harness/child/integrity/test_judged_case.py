"""A case that a callback changes is seen, whatever holds it."""

import dataclasses
import types

import numpy as np
import pytest

from harness.cases.case import Case, Input, Tolerance
from harness.child.integrity.judged_case import insisting_on
from harness.process.handover import InterferenceError


@dataclasses.dataclass(frozen=True)
class Subject:
    """As much of a subject as is looked at."""

    case: Case
    seed: int = 0


@pytest.fixture
def case():
    return Case(plugin="Scale", name="dynamic", inputs=(Input(dims=(2,)),), reference=lambda x, **_: x * 2)


def test_a_case_that_stays_as_it_is_is_fine(case):
    with insisting_on(Subject(case)):
        case.reference(np.ones(2, np.float32), fields={})


@pytest.mark.parametrize("tolerance", [Tolerance(atol=1.0), {"float32": Tolerance(atol=1.0)}])
def test_a_tolerance_that_is_written_over_is_seen(case, tolerance):
    case = dataclasses.replace(case, tolerance=tolerance)
    near = case.tolerance if isinstance(tolerance, Tolerance) else case.tolerance["float32"]
    with pytest.raises(InterferenceError, match="it changed the case"), insisting_on(Subject(case)):
        object.__setattr__(near, "atol", 1e30)


def test_another_reference_and_other_code_in_it_are_seen(case):
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        object.__setattr__(case, "reference", lambda x, **_: x)
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        case.reference.__code__ = (lambda x, **_: x + 1).__code__


@pytest.mark.parametrize(("name", "value"), [("case", Case(plugin="Scale", name="other", inputs=())), ("seed", 1)])
def test_another_case_or_seed_of_the_subject_is_seen(case, name, value):
    subject = Subject(case)
    with pytest.raises(InterferenceError, match="it changed the case"), insisting_on(subject):
        object.__setattr__(subject, name, value)


def widened():
    class Wide(Tolerance):
        atol = property(lambda _: 1e30)

    return Wide


def test_another_class_of_a_tolerance_is_seen(case):
    case = dataclasses.replace(case, tolerance=Tolerance(atol=1.0))
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        object.__setattr__(case.tolerance, "__class__", widened())


def test_fields_that_are_written_over_or_replaced_are_seen(case):
    case = dataclasses.replace(case, fields={"factor": np.array([1.5], np.float32), "text": "a"})
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        case.fields["factor"][:] = 1
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        case.fields["text"] = "b"


#: A module of a user's, whose reference calls a function that calls another one.
USERS = """
import numpy as np
FACTOR, LAZY, calls = 2, None, 0
def inner(x):
    return np.multiply(x, FACTOR)
def scaled(x):
    global calls, LAZY
    calls, LAZY = calls + 1, np.ones(1)
    return inner(x)
def reference(x, **_):
    return scaled(x)
"""


@pytest.fixture
def users(case):
    module = types.ModuleType("users")
    exec(USERS, vars(module))  # noqa: S102 - ours
    return module, dataclasses.replace(case, reference=module.reference)


@pytest.mark.parametrize(("name", "value"), [("scaled", abs), ("inner", abs), ("FACTOR", 1), ("np", np.linalg)])
def test_what_the_reference_uses_and_that_is_replaced_is_seen(users, name, value):
    module, case = users
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        setattr(module, name, value)


def test_a_function_of_numpy_that_the_reference_uses_and_that_is_replaced_is_seen(users, monkeypatch):
    _, case = users
    with pytest.raises(InterferenceError), insisting_on(Subject(case)):
        monkeypatch.setattr(np, "multiply", abs)


def test_what_a_reference_counts_and_fills_when_it_is_used_is_its_own(users):
    module, case = users
    with insisting_on(Subject(case)):
        assert case.reference(np.ones(2)).tolist() == [2, 2]
    assert module.calls == 1
