"""Rules about decorated plugins, where a witness does not reach."""

from types import SimpleNamespace

import pytest

from conformance.rules.decorators import functions_keep_nothing
from harness.cases.case import Case
from harness.contract.finding import NotApplicable, NotRun


@pytest.mark.parametrize(("spec", "told"), [(None, NotRun), ("10", NotRun), ("11", NotApplicable)])
def test_another_case_of_the_same_level_is_another_plugin(spec, told):
    siblings = (Case(plugin="shift", name="a"), Case(plugin="shift", name="b", spec=spec))
    subject = SimpleNamespace(case=siblings[0].at("10"), origin=SimpleNamespace(siblings=siblings))
    with pytest.raises(told):
        list(functions_keep_nothing.judge(subject))
