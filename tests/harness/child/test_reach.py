"""What examples reach is what they reach themselves, whatever rules before them have found out."""

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.formats.formats import Question
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.child.reach import reaching
from harness.protocol.requests import Watched
from tests.support.workbench import Creator, Doubler, subject_of

FLOAT = Question((), (trt.DataType.FLOAT, trt.TensorFormat.LINEAR))
CASE = Case("P", inputs=({"dims": (2, 3), "types": ("float32",)},))


def reached(look, *, known):
    subject = subject_of(Creator(lambda _: Doubler()), CASE)
    if known:
        look(subject)
    with reaching(subject, Watched.CODE) as reach:
        look(subject)
    return reach.taken()


def ask_once(subject):
    RecordedAnswers(subject).ask(FLOAT)


def ask_a_new_object(subject):
    subject.caller.num_outputs(subject.gate, subject.create())
    ask_once(subject)


def test_a_question_that_another_rule_may_have_put_reaches_nothing():
    assert reached(ask_once, known=False) == reached(ask_once, known=True) == ()


def test_a_question_of_its_own_reaches_something():
    own = reached(ask_a_new_object, known=False)
    assert own == reached(ask_a_new_object, known=True)
    assert any("create_plugin" in each for each in own)
