"""The fixes that witnesses declare in ``FIXED``: each is about one place, and with all of them the rule holds."""

from pathlib import Path

import pytest

from harness.contract.explaining import corrections, witnesses
from harness.contract.verdict import Verdict
from tests.support.verdicts import in_words, installed, results_in_a_fork
from tests.support.witnesses import EXAMPLES

RULES = installed().rules
FAULTS = {
    Path(fault.faulty[0].file).stem: (rule, fault)
    for rule, faults in witnesses.by_rule(set(RULES)).items()
    for fault in faults
    if fault.fixed
}
#: Judged by day: a plugin, an application and decorated functions, parts of lines and whole lines.
BY_DAY = {"core_left_out_of_the_engine", "output_smaller_than_its_shape", "position_that_is_a_number"}


def repaired(fault):
    """Return the source of a witness with all its fixes."""
    lines = (EXAMPLES.parent / fault.faulty[0].file).read_text().splitlines()
    for each in sorted(corrections.declared(fault), key=lambda fix: fix.line, reverse=True):
        first = lines[each.line - 1]
        indentation = first[: len(first) - len(first.lstrip())]
        lines[each.line - 1 : each.line - 1 + len(each.faulty)] = [f"{indentation}{line}" for line in each.fixed]
    return "\n".join([*lines, ""])


@pytest.mark.new_rule
@pytest.mark.parametrize("name", FAULTS)
def test_a_fix_is_about_one_place(name):
    _, fault = FAULTS[name]
    assert len(list(corrections.declared(fault))) == len(fault.fixed)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in BY_DAY else [pytest.mark.nightly]) for name in FAULTS]
)
def test_the_rule_holds_with_the_fixes(name, tmp_path):
    rule, fault = FAULTS[name]
    module = tmp_path / f"{name}.py"
    module.write_text(repaired(fault))
    results = results_in_a_fork(str(module), rules=[rule])
    verdicts = [each.verdict for case in results.values() for each in case if each.rule == rule]
    assert verdicts
    assert {*verdicts} <= {Verdict.PASS, Verdict.NOT_APPLICABLE}, in_words(results, RULES) or verdicts
