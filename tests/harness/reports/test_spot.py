"""Each defect has the line to look at."""

import pytest

from harness.reports.spot import Spot, spot_of
from harness.results.defects import defects_of

FILE = "/repo/src/bar plugin.py"


def spot(make, result, **more):
    return spot_in(make.document(make.plugin(result, **more)))


def spot_in(document):
    (defect,) = defects_of(document)
    return spot_of(document, defect)


def mishap(callback, stack=""):
    return {"callback": callback, "how": "raised", "where": "", "becomes": "", "stack": stack, "calls": []}


@pytest.mark.parametrize(
    ("what", "where", "line"),
    [
        ("enqueue wrote past its output", "in_out[1:]", 51),
        ("it looked past pos", "supports_format_combination(pos=0)", 42),
        ("supports_format_combination looked", "enqueue", 42),
        ("an enqueueing plugin", "nothing that is a callback", 76),
    ],
)
def test_the_line_is_that_of_the_method_that_is_named_or_else_of_the_creator(make, what, where, line):
    result = make.result("FMT-001", "FAIL", make.violation(what, where))
    assert spot(make, result) == Spot(FILE, line)


def test_the_callback_that_failed_is_surer_than_a_name_in_the_text(make):
    violation = make.violation("supports_format_combination raised")
    assert spot(make, make.result("X-001", "FAIL", violation, mishap=mishap("enqueue"))) == Spot(FILE, 51)


@pytest.mark.parametrize(
    ("stack", "line"),
    [
        (f'File "{FILE}", line 51, in enqueue\n  File "{FILE}", line 54, in helper\n  File "numpy.py", line 1', 54),
        (
            f'(most recent call first):\n  File "numpy.py", line 1\n  File "{FILE}", line 54\n  File "{FILE}", line 51',
            54,
        ),
        ('File "numpy.py", line 1', 51),
    ],
)
def test_the_innermost_frame_of_the_plugin_is_surest(make, stack, line):
    result = make.result("X-001", "FAIL", make.violation("died"), mishap=mishap("enqueue", stack))
    assert spot(make, result) == Spot(FILE, line)


def test_a_callback_that_the_rule_owns_is_meant_where_nothing_is_named(make):
    document = make.document(make.plugin(make.result("ENQ-001", "FAIL", make.violation("wrong result", "output 0"))))
    document["rules"]["ENQ-001"]["owns"] = ["enqueue"]
    assert spot_in(document) == Spot(FILE, 51)


def test_a_method_that_is_inherited_from_elsewhere_is_not_pointed_at(make):
    result = make.result("X-001", "FAIL", make.violation("enqueue is wrong"))
    elsewhere = {"enqueue": {"file": "/usr/lib/base.py", "line": 9}}
    assert spot(make, result, methods=elsewhere) == Spot(FILE, 76)
    assert spot(make, result, methods=elsewhere, file="/usr/lib/bar.py") == Spot("/usr/lib/base.py", 9)


def test_no_line_is_made_up(make):
    result = make.result("X-001", "FAIL", make.violation("wrong"))
    assert spot(make, result, file="", line=0, methods={}) is None
