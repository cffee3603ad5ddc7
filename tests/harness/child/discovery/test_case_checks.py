"""A case whose own functions fail is a usage error with their line, before any rule judges the plugin."""

import numpy as np
import pytest

from harness.cases.case import Case
from harness.child.discovery.case_checks import check_case
from harness.child.discovery.plugins import UsageProblem


def case(**functions):
    return Case(plugin="Own", name="mine", inputs=[{"min": (1,), "max": (4,)}], **functions)


def fails(*_, fields):
    return fields["none"]


def ends(*_, fields):  # noqa: ARG001
    raise SystemExit(3)


def ragged(*_, fields):  # noqa: ARG001
    return (np.array([1.0]), [[1.0], [2.0, 3.0]])


def two_arrays(x, y):
    return x + y


def within_numpy(x, *, fields):  # noqa: ARG001
    return np.linalg.inv(x)


CALLED = "from reference(*arrays of shapes [[4]])"


def line(function, below=0):
    return f"{__file__}:{function.__code__.co_firstlineno + below}"


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        (
            {"valid": lambda *_, **__: False},
            "no shape of the case's profile is valid, as far as was tried; fix",
        ),
        ({"valid": fails}, f"valid raised KeyError: 'none', in {line(fails, 1)}"),
        ({"valid": lambda *_, **__: None}, f"valid returned None: return True or False, in {__file__}:"),
        ({"valid": lambda *_, **__: "yes"}, f"valid returned 'yes': return True or False, in {__file__}:"),
        ({"reference": fails}, "the case's reference raised KeyError: 'none', from reference(*arrays of shapes "),
        ({"reference": fails}, f", in {line(fails, 1)}"),
        ({"reference": ends}, f", in {line(ends, 1)}"),
        ({"reference": ragged}, "the case's reference raised ValueError: "),
        ({"reference": lambda *_, **__: None}, "returned arrays of object, and not of numbers, from reference(*arrays"),
        ({"reference": lambda *_, **__: "x"}, f", in {__file__}:"),
        ({"reference": two_arrays}, f"missing 1 required positional argument: 'y', {CALLED}, in {line(two_arrays)}"),
        ({"valid": two_arrays}, f"missing 1 required positional argument: 'y', in {line(two_arrays)}"),
        ({"reference": within_numpy}, f", in {line(within_numpy, 1)}"),
    ],
)
def test_a_defect_of_a_case_is_a_usage_problem(functions, message):
    with pytest.raises(UsageProblem) as caught:
        check_case(case(**functions))
    assert str(caught.value).startswith("case 'mine' of /Own/1: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("answer", [True, np.True_, 1])
def test_a_sound_case_passes(answer):
    check_case(case(valid=lambda *_, **__: answer, reference=lambda x, *, fields: x))  # noqa: ARG005
