"""What a rule executes and asks is noted, with what its questions show."""

import pytest

from harness.checks.formats.recorded_answers import all_questions
from harness.checks.observation.watching import OutcomeLog, observing
from harness.child.seen import ExecutedShapes, format_table, names_shapes, seen_by
from harness.contract.finding import CallbackFailedError, CallbackFailure, Violation, check
from harness.contract.rule import Rule, Source
from harness.subject.subject import Facts
from reference_runtime.calling.gate.records import Event, Phase
from reference_runtime.devices.host import use
from reference_runtime.values.descriptors import PluginTensorDesc
from reference_runtime.values.dims import Dims
from tests.support.workbench import Creator, Doubler, running


def executed(shapes, *extents):
    descriptions = [PluginTensorDesc() for _ in extents]
    for description, dims in zip(descriptions, extents, strict=True):
        description.dims = Dims(dims)
    shapes.before(Event(1, Phase.EXECUTION, "P#1", "enqueue", (descriptions, [], [], [], 0, 0)))


def violation(where):
    return Violation("what", where, "expected", "observed", "fix")


def noted(judge):
    shapes = ExecutedShapes()
    rule = shapes.noted_by(Rule("ENQ-001", lambda _: judge(shapes), Source("a document", "a section")))
    try:
        findings = list(rule.judge(None))
    except CallbackFailedError:
        findings = []
    return shapes.shapes, findings


def test_a_violation_is_about_the_shapes_since_the_question_before():
    def judge(shapes):
        executed(shapes, (2, 3), (4,))
        yield check(held=True, violation=None)
        executed(shapes, (5, 3), (4,))
        yield check(held=False, violation=lambda: violation("the stream"))

    shapes, findings = noted(judge)
    assert shapes == {"2x3,4": False, "5x3,4": True}
    assert len(findings) == 2


def test_a_violation_that_names_shapes_is_about_these():
    def judge(shapes):
        executed(shapes, (2, 3))
        executed(shapes, (5, 3))
        yield check(held=True, violation=None)
        yield check(held=False, violation=lambda: violation("input shapes [(2, 3)]; outputs[0]"))

    assert noted(judge)[0] == {"2x3": True, "5x3": False}


@pytest.mark.parametrize("callback", ["enqueue", "clone"])
def test_an_execution_that_fails_is_about_the_last_shapes(callback):
    def judge(shapes):
        executed(shapes, (2,))
        yield check(held=True, violation=None)
        executed(shapes, (4,))
        executed(shapes, (3,))
        raise CallbackFailedError(CallbackFailure(callback, "raised ValueError: no"))

    assert noted(judge)[0] == {"2": False, "4": False, "3": callback == "enqueue"}


def test_other_callbacks_and_implicit_batches_have_no_shapes():
    shapes = ExecutedShapes()
    shapes.before(Event(1, Phase.EXECUTION, "P#1", "enqueue", (4, [], [], 0, 0)))
    shapes.before(Event(2, Phase.CONFIGURATION, "P#1", "configure_plugin", ([], [])))
    shapes.settle()
    assert seen_by(shapes, []) is None


@pytest.mark.parametrize("where", ["input shapes [(2, 3), (4,)]", "input shapes [[2, 3], [4]]; outputs[0]"])
def test_shapes_are_named_as_tuples_or_lists(where):
    assert names_shapes(where, "2x3,4")
    assert not names_shapes(where, "2x3")


def test_the_format_table_is_what_rules_have_asked_already():
    subject = running(Creator(lambda _: Doubler()))
    with use(subject.device):
        assert format_table(subject.facts, Facts(), 1) == []
        all_questions(subject)
        watch = OutcomeLog("supports_format_combination")
        with observing(subject.gate, watch):
            table = format_table(subject.facts, Facts(), 1)
    assert not watch.calls  # nothing was asked again
    assert (table[0]["tensor"], table[0]["after"]) == ("input 0", [])
    assert table[0]["accepted"]
    assert table[-1]["tensor"] == "output 0"
    assert format_table(subject.facts, subject.facts, 1) == []
