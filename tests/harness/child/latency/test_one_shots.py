"""What comes once is timed once, by the clock that is given."""

import itertools
from typing import ClassVar

import pytest

from harness.cases.case import Case
from harness.child.latency.one_shots import one_shot
from harness.contract.finding import NotApplicable
from harness.protocol.latency_quantity import Group
from tests.support.latency_subjects import subject_of
from tests.support.workbench import Creator, Doubler

DYNAMIC = {"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)}
FIXED = {"dims": (2, 3), "min": (2, 3), "opt": (2, 3), "max": (2, 3)}


class Noting(Doubler):
    """Notes the dimensions that it runs with, all objects together."""

    extents: ClassVar = []

    def enqueue(self, input_desc, *rest):
        self.extents.append(input_desc[0].dims[0])
        return super().enqueue(input_desc, *rest)


class RestoringCreator(Creator):
    def deserialize_plugin(self, _name, _data):
        return Noting()


def seconds(group, entry):
    Noting.extents.clear()
    clock = itertools.count(10.0, 0.5).__next__
    with subject_of(RestoringCreator(lambda _: Noting()), Case("P", inputs=(entry,))) as subject:
        return one_shot(subject, group, clock)


@pytest.mark.parametrize("group", [Group.FIRST_CALL, Group.AFTER_DESERIALIZE])
def test_the_first_call_is_the_one_that_is_timed(group):
    assert seconds(group, DYNAMIC) == 0.5
    assert Noting.extents == [2]


def test_a_switch_is_a_call_with_other_shapes_after_some_with_these():
    assert seconds(Group.SHAPE_SWITCH, DYNAMIC) == 0.5
    *before, last = Noting.extents
    assert set(before) == {2}
    assert last != 2


def test_a_case_of_one_shape_has_no_switch():
    with pytest.raises(NotApplicable, match="one shape alone"):
        seconds(Group.SHAPE_SWITCH, FIXED)
