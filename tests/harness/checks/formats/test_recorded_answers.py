"""The record of what a new object answers about formats."""

import pytest

import reference_runtime as trt
from harness.checks.formats.formats import Question
from harness.checks.formats.recorded_answers import RecordedAnswers, all_questions, telling_questions
from harness.contract.finding import CallbackFailedError
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running

LINEAR = (trt.DataType.FLOAT, trt.TensorFormat.LINEAR)
PLAIN = Question((), LINEAR)


class Chatty(Doubler):
    asked: list = []  # noqa: RUF012 - of all objects

    def supports_format_combination(self, pos, in_out, num_inputs):
        self.asked.append(pos)
        if in_out[pos].type == trt.DataType.BOOL:
            raise ValueError("no")
        return super().supports_format_combination(pos, in_out, num_inputs) or None


@pytest.fixture
def subject():
    Chatty.asked = []
    subject = running(Creator(lambda _: Chatty()))
    with use(subject.device):
        yield subject


def test_each_question_is_put_once_for_a_subject(subject):
    assert RecordedAnswers(subject).outcome(PLAIN) is RecordedAnswers(subject).outcome(PLAIN) is True
    assert Chatty.asked == [0]


def test_the_head_of_a_question_is_asked_about_first(subject):
    assert RecordedAnswers(subject).ask(Question((LINEAR,), LINEAR))
    assert Chatty.asked == [0, 1]


def test_what_the_method_returned_in_place_of_a_bool_is_in_the_reply(subject):
    reply = RecordedAnswers(subject).reply(Question((), (trt.DataType.HALF, trt.TensorFormat.LINEAR)))
    assert (reply.outcome, reply.returned) == (False, ("None", "NoneType"))


def test_a_failure_is_an_outcome_and_stops_who_insists_on_an_answer(subject):
    question = Question((), (trt.DataType.BOOL, trt.TensorFormat.LINEAR))
    record = RecordedAnswers(subject)
    assert record.outcome(question) == "raised ValueError: no"
    with pytest.raises(CallbackFailedError):
        record.ask(question)


def test_the_questions_that_tell_plugins_apart_hold_all_that_are_accepted(subject):
    record = RecordedAnswers(subject)
    accepted = {each for each in all_questions(subject) if record.outcome(each) is True}
    assert accepted < {*telling_questions(subject)} < {*all_questions(subject)}
