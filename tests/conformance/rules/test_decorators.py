"""Rules about decorated plugins, where a witness does not reach."""

from types import SimpleNamespace

import pytest

from conformance.rules import decorators
from harness.cases.case import Case
from harness.contract.finding import NotApplicable


@pytest.mark.parametrize(("spec", "told"), [(None, ["'b'"]), ("10", ["'b'"]), ("11", [])])
def test_another_case_of_the_same_level_is_another_plugin(monkeypatch, spec, told):
    siblings = (Case(plugin="shift", name="a"), Case(plugin="shift", name="b", spec=spec))
    origin = SimpleNamespace(siblings=siblings)
    subject = SimpleNamespace(case=siblings[0].at("10"), origin=origin, with_case=lambda case: case)
    monkeypatch.setattr(decorators, "one_other_value_each", lambda _subject: iter(()))
    assert [words.split()[-1] for words, _ in decorators._others(subject)] == told


def test_a_plugin_without_attributes_has_no_other():
    with pytest.raises(NotApplicable, match="has no attributes"):
        list(decorators.functions_keep_nothing.judge(SimpleNamespace(fields=[])))
