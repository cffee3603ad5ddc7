"""Each defect has the line to look at."""

import pytest

from harness.reports.spot import Spot, add_spots, code_of, place_of, spot_of
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


def test_the_method_that_the_fix_names_is_surer_than_where_it_was_seen(make):
    violation = {**make.violation("it lost a parameter", "enqueue"), "fix": "Look at supports_format_combination."}
    assert spot(make, make.result("X-001", "FAIL", violation)) == Spot(FILE, 42)


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
        (
            f"C++ stack (most recent call first):\n f() at {FILE}:54 in /l.so +0x2\n g() at {FILE}:51 in /l.so +0x3",
            54,
        ),
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


def test_the_sources_of_a_library_may_be_elsewhere_but_those_inside_are_surer(make):
    result = make.result("X-001", "FAIL", make.violation("enqueue is wrong after clone"))
    library = {"file": "/repo/build/libbar.so", "line": 0}
    elsewhere = {"enqueue": {"file": "/src/bar.cpp", "line": 9}}
    assert spot(make, result, methods=elsewhere, **library) == Spot("/src/bar.cpp", 9)
    inside = elsewhere | {"clone": {"file": "/repo/bar.cpp", "line": 3}}
    assert spot(make, result, methods=inside, **library) == Spot("/repo/bar.cpp", 3)


def test_no_line_is_made_up(make):
    result = make.result("X-001", "FAIL", make.violation("wrong"))
    assert spot(make, result, file="", line=0, methods={}) is None


def spotted(make, tmp_path, code, line):
    """Return what a result gets whose method is at a line of a file; None if it gets nothing."""
    file = tmp_path / "mine.py"
    file.write_text(code)
    result = make.result("X-001", "FAIL", make.violation("enqueue is wrong"))
    place = {"enqueue": {"file": str(file), "line": line}}
    document = make.document(make.plugin(result, file=str(file), methods=place))
    add_spots(document)
    return result.get("spot")


@pytest.mark.parametrize(
    ("line", "first", "code"),
    [
        (1, 1, ["one", "two"]),
        (2, 1, ["one", "two", "  three"]),
        (3, 2, ["two", "  three"]),
        (4, 0, []),
        (0, 0, []),
    ],
)
def test_a_result_shows_its_line_with_the_lines_around_it(make, tmp_path, line, first, code):
    spot = spotted(make, tmp_path, "one\ntwo  \n  three\n", line)
    place = {"file": str(tmp_path / "mine.py"), "line": line, "function": "enqueue"}
    assert spot == {**place, "first": first, "code": code}


def test_a_file_that_cannot_be_read_has_a_line_and_no_code(make):
    result = make.result("X-001", "FAIL", make.violation("wrong"))
    add_spots(make.document(make.plugin(result)))
    assert result["spot"] == {"file": FILE, "line": 76, "first": 0, "code": [], "function": "BarCreator"}


def test_a_result_without_a_violation_gets_no_line(make):
    result = make.result("X-001")
    add_spots(make.document(make.plugin(result)))
    assert "spot" not in result


def test_the_line_is_marked_between_the_lines_around_it():
    shown = {"file": FILE, "line": 10, "first": 9, "code": ["class A:", "    def clone(self):", "        return self"]}
    assert code_of(shown).splitlines() == [
        "     9  class A:",
        ">   10      def clone(self):",
        "    11          return self",
    ]


@pytest.mark.parametrize(
    ("line", "function", "root", "place"),
    [
        (10, "clone", "/repo", "src/bar plugin.py:10, in clone"),
        (10, "", "/repo", "src/bar plugin.py:10"),
        (0, "", "/elsewhere", FILE),
    ],
)
def test_the_place_names_file_line_and_function(line, function, root, place):
    assert place_of({"file": FILE, "line": line, "function": function}, root) == place


def test_a_place_in_the_text_of_a_violation_is_surer_than_a_method(make, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class A:\n    def __init__(self):\n        float([1])\n")
    violation = {**make.violation("create_plugin raised"), "observed": "it raised TypeError (mine.py:3)"}
    methods = {"create_plugin": {"file": str(file), "line": 1}}
    found = spot(make, make.result("X-001", "FAIL", violation), file=str(file), methods=methods)
    assert (found.line, found.function) == (3, "__init__")


def test_an_attribute_is_named_with_the_function_that_assigns_it(make, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class A:\n    def __init__(self):\n        self.plugin_version = 1\n")
    methods = {"plugin_version": {"file": str(file), "line": 3}}
    result = make.result("X-001", "FAIL", make.violation("plugin_version is 2"))
    found = spot(make, result, file=str(file), methods=methods)
    assert (found.line, found.function) == (3, "__init__")


def test_a_failure_after_what_was_seen_first_does_not_say_where_that_is(make):
    seen = make.violation("configure_plugin rejects"), make.violation("enqueue raised")
    result = make.result("X-001", "FAIL", *seen, mishap=mishap("enqueue", f'File "{FILE}", line 54, in enqueue'))
    assert spot(make, result) != Spot(FILE, 54)
