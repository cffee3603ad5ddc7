"""Questions that numbers stand for are genuine: what stands before ``pos`` is accepted, and the rest is anything."""

from typing import ClassVar

import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.formats.format_dialogues import conversation
from harness.checks.formats.format_tree import FormatTree
from reference_runtime.calling.trampolines import v2
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

FLOAT, HALF = trt.DataType.FLOAT, trt.DataType.HALF
LINEAR = trt.TensorFormat.LINEAR


class Shown(Doubler):
    """Takes FLOAT and HALF, and notes what it was shown."""

    shown: ClassVar = []

    def supports_format_combination(self, pos, in_out, _num_inputs):
        self.shown.append([int(desc.type) for desc in in_out])
        return in_out[pos].format == LINEAR and in_out[pos].type in {FLOAT, HALF}


@pytest.fixture
def tree():
    inputs = ({"dims": (2, 3), "types": ("float32", "float16")},) * 2
    subject = subject_of(Creator(lambda _: Shown()), Case("P", inputs=inputs))
    with use(subject.device):
        yield FormatTree(subject)


def posed(tree, forms, tail=(0, 0), clone=0):
    [found] = conversation(tree, [{"forms": forms, "tail": list(tail), "clone": clone}])
    return found


def test_forms_before_pos_are_accepted_ones_and_that_at_pos_is_any(tree):
    found = posed(tree, [1, 2, 5])
    assert found.question.head == ((HALF, LINEAR), (FLOAT, LINEAR))
    assert found.question.form == tree.forms(2)[5]


def test_numbers_beyond_the_last_tensor_mean_nothing(tree):
    assert posed(tree, [0, 0, 1, 7, 7]).question == posed(tree, [0, 0, 1]).question


def test_where_nothing_is_accepted_the_question_is_about_that_place(tree, monkeypatch):
    monkeypatch.setattr(tree, "accepted", lambda head: [] if head else [(FLOAT, LINEAR)])
    assert posed(tree, [0, 1, 2]).question.pos == 1


def test_what_stands_behind_is_drawn_for_each_place(tree):
    tail = posed(tree, [0], tail=[0, 2]).tail
    assert tail[0] == v2.INVALID
    assert (tail[1].type, tail[1].format) == tree.all_forms(2)[1]
    assert tail[1].dims == (2, 3)


def test_it_is_asked_as_drawn(tree):
    Shown.shown = []
    asker = tree.asker(tree.subject.create())
    assert posed(tree, [1, 0], tail=[2]).ask(asker) is True
    assert Shown.shown[-1] == [int(HALF), int(FLOAT), int(tree.all_forms(2)[1][0])]


def test_a_question_says_what_stood_where():
    text = "pos=0 with in_out=[FLOAT:LINEAR, ...] of a clone; behind pos: undefined, HALF:LINEAR"
    inputs = ({"dims": (2, 3)},) * 2
    subject = subject_of(Creator(lambda _: Shown()), Case("P", inputs=inputs))
    with use(subject.device):
        assert str(posed(FormatTree(subject), [0], tail=[0, 2], clone=1)) == text
