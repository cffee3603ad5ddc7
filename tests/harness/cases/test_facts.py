"""What varies on its own in a case, and that all of it crosses between processes."""

import json

import pytest

from harness.cases.case import Case
from harness.cases.facts import Extent, Facts
from harness.cases.input import Input

TWO = Case(
    "Bar",
    fields={"scale": [1.5], "mode": "fast"},
    inputs=(
        {"dims": ("N", 3, "W"), "min": (0, 3, 1), "opt": (2, 3, 5), "max": (4, 3, 9), "values": min},
        {"min": (0, 7), "opt": (2, 7), "max": (4, 8), "values": (0, 2)},
    ),
)


def test_an_extent_is_what_varies_on_its_own():
    assert Facts.of(TWO).extents == (
        Extent("N", 0, 2, 4),
        Extent("W", 1, 5, 9),
        Extent((1, 0), 0, 2, 4),
        Extent((1, 1), 7, 7, 8),
    )


def test_equal_names_are_one_extent():
    named = {"dims": ("N",), "min": (1,), "max": (4,)}
    facts = Facts.of(Case("Bar", inputs=(named, named)))
    assert facts.extents == (Extent("N", 1, 4, 4),)
    assert facts.shapes_at({"N": 3}) == [[3], [3]]


def test_shapes_take_the_values_and_the_lower_bounds_of_the_rest():
    assert Facts.of(TWO).shapes_at({"N": 4, (1, 1): 8}) == [[4, 3, 1], [0, 8]]


def test_the_values_of_a_shape_input_vary_each_on_its_own():
    values = {"shape_input": True, "dims": (2, 1), "types": "int64", "min": (0, 1), "opt": (7, 5), "max": (12, 20)}
    facts = Facts.of(Case("TileTo", inputs=({"dims": (3,)}, values)))
    assert facts.extents == (Extent((1, 0), 0, 7, 12), Extent((1, 1), 1, 5, 20))
    assert facts.shapes_at({(1, 1): 9}) == [[3], [0, 9]]


def test_facts_cross_as_json():
    facts = Facts.of(TWO)
    assert facts.inputs[0].values is None
    assert facts.fields == ("scale", "mode")
    assert Facts.from_plain(json.loads(json.dumps(facts.to_plain()))) == facts


@pytest.mark.parametrize("inputs", [(), (Input(dims=(2, 4)),)])
def test_nothing_varies_in_a_case_of_one_shape(inputs):
    assert Facts(inputs).extents == ()


def test_nothing_known_is_no_input():
    assert Facts.from_plain({}) == Facts()
