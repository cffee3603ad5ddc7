"""A defect of a plugin, whole runs: the failure that is shown first names the rule, the line and the fix."""

import re

import pytest

from tests.support.planted import PLANTED

pytest_plugins = ["pytester"]

#: The defect that is found by day: the rules of level 1 show it.
BY_DAY = pytest.param("2", ["--plugin-level=1"], id="2 at level 1")
MOST_LINES = 9
MOST_BLOCKED = 20
_FIRST_FAILURE = re.compile(r"^FAIL \[.*?\] · (?P<rule>[A-Z]+-\d+): .*\n(?:  .*\n)+", re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "options"), [BY_DAY, *(pytest.param(name, [], marks=pytest.mark.nightly, id=name) for name in PLANTED)]
)
def test_the_first_failure_leads_to_the_defect(pytester, certify_as_a_user, name, options):
    defect = PLANTED[name]
    line = defect.write(pytester.path)
    result, report = certify_as_a_user(f"--plugin-module={defect.plugin}", *options)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    first = _FIRST_FAILURE.search(result.stdout.str().replace("\r", ""))
    parts = dict(re.findall(r"^  (\w+) +(.*)$", first[0], re.MULTILINE))
    assert first["rule"] == defect.rule
    assert parts["at"] == f"{defect.plugin}.py:{line}, in {defect.method}"
    assert defect.fix in parts["fix"]
    assert parts["replay"].startswith(f"pytest --plugin-module={defect.plugin} ")
    assert len([each for each in first[0].splitlines() if not re.match(r"  (NOT-RUN|WARN)", each)]) <= MOST_LINES
    assert report["counts"]["BLOCKED"] <= MOST_BLOCKED
