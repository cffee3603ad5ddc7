"""A C++ plugin without a case says what it misses; the next guess has it."""

import contextlib
import pathlib

import numpy as np
import pytest

from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings
from harness.subject.serialized_cases import case_from_plain
from tests.support import native_build

SOURCE = pathlib.Path(__file__).parents[2] / "data" / "native" / "particular.cpp"


@pytest.fixture(scope="module")
def cases():
    settings = ChildSettings(module=str(native_build.library(SOURCE)), timeout=60)
    with contextlib.closing(ProcessIsolation(settings)) as child:
        assert child.load().ok
        found = child.discover()
    return {each["name"]: case_from_plain(each["cases"][0]["plain"]) for each in found["plugins"]}


def test_each_plugin_has_a_whole_case(cases):
    assert len(cases) == 6
    assert not [name for name, case in cases.items() if case.unknown]


def test_a_text_is_found_for_a_field_whose_type_is_not_declared(cases):
    text, kind = cases["Text"].fields["reduction"]
    assert (text.tobytes(), kind.name) == (b"mean", "CHAR")


def test_a_field_has_as_many_elements_as_the_creator_declares(cases):
    assert {name: value.size for name, value in cases["Declared"].fields.items()} == {"stride": 2, "group": 1}


def test_a_field_that_is_read_further_than_it_is_declared_is_no_longer_than_that(cases):
    assert cases["Fraction"].fields["bounds"].size == 6


def test_a_field_that_the_refusal_means_gets_another_value(cases):
    assert 0 < cases["Fraction"].fields["drop_rate"][0] < 1


def test_weights_without_a_declared_type_are_fractions(cases):
    types = {name: value.dtype for name, value in cases["Weighted"].fields.items()}
    assert types == {"type_id": np.int32, "gamma": np.float32, "beta": np.float32}


def test_number_ranks_types_and_extents_of_inputs_are_those_of_the_failed_conditions(cases):
    images, counts, rois = cases["Boxes"].inputs
    assert images.dims[2] == counts.dims[0]
    assert (len(counts.dims), counts.types) == (1, ("int32",))
    assert (len(rois.dims), rois.dims[1]) == (2, 4)


def test_what_assert_prints_is_read_too(cases):
    first, second = cases["Asserting"].inputs
    assert len(first.dims) == len(second.dims) == 5
    assert second.dims[3] == 1
