"""Each real bug that we say is caught has a witness with a link to a rule that the witness declares."""

import json
import pathlib

import pytest

from harness.contract import catalogue
from tests.support import witnesses

BUGS = json.loads((pathlib.Path(__file__).parents[2] / "data" / "real_bugs.json").read_text())["bugs"]
WITNESSES = {module.rpartition(".")[2]: witness for module, witness in witnesses.witnesses().items()}


@pytest.mark.parametrize("bug", [bug for bug in BUGS if "caught" in bug], ids=lambda bug: bug["number"])
def test_a_caught_bug_names_witnesses_and_rules_that_they_declare(bug):
    assert bug["caught"]
    for name, rule in bug["caught"].items():
        assert name in WITNESSES, "there is no such witness"
        assert rule in {WITNESSES[name].breaks, *WITNESSES[name].also}, f"{name} does not declare {rule}"
        assert rule in catalogue.load().rules


def test_a_bug_is_caught_or_has_a_reason():
    assert all(("caught" in bug) != bool(bug.get("uncaught")) for bug in BUGS)
    assert [bug["number"] for bug in BUGS] == list(range(1, 83))


def test_enough_bugs_are_caught():
    least = 30
    assert sum("caught" in bug for bug in BUGS) >= least
