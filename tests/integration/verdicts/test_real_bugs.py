"""Each real bug that we say is caught has a witness with a link to a rule that the witness declares."""

from harness.contract import catalogue
from harness.contract.explaining.real_bugs import real_bugs
from tests.support import witnesses

BUGS = real_bugs()
WITNESSES = {module.rpartition(".")[2]: witness for module, witness in witnesses.witnesses().items()}


def test_a_caught_bug_names_witnesses_and_rules_that_they_declare():
    caught = {bug.number: bug.caught for bug in BUGS if not bug.uncaught}
    assert [number for number, pairs in caught.items() if not pairs] == []
    wrong = [(number, *pair) for number, pairs in caught.items() for pair in pairs.items() if not is_declared(*pair)]
    assert wrong == []


def is_declared(name, rule):
    """Whether there is such a witness and such a rule, and the one declares the other."""
    declared = {WITNESSES[name].breaks, *WITNESSES[name].also} if name in WITNESSES else ()
    return rule in declared and rule in catalogue.load().rules


def test_a_bug_is_caught_or_has_a_reason():
    assert all(bool(bug.caught) != bool(bug.uncaught) for bug in BUGS)
    assert [bug.number for bug in BUGS] == list(range(1, 83))


def test_enough_bugs_are_caught():
    least = 30
    assert sum(bool(bug.caught) for bug in BUGS) >= least
