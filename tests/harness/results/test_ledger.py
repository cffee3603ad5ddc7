"""Whoever keeps a rule from being judged is found out, and the run is red."""

import json

import pytest

pytest_plugins = ["pytester"]

DESELECTS = """
def pytest_collection_modifyitems(config, items):
    gone, items[2:] = items[2:], []
    config.hook.pytest_deselected(items=gone)
"""
WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"
TWO_PLUGINS = "PLUGINS = ['/Bar/1', '/Foo/2']\n"


@pytest.mark.parametrize(
    ("conftest", "missing"),
    [
        (
            "@pytest.fixture(autouse=True)\ndef skip():\n    pytest.skip('no GPU')\n",
            "  missing   CFG-001, *: skipped at */conftest.py:4 (no GPU)",
        ),
        (
            "def pytest_collection_modifyitems(items):\n    del items[2:]\n",
            "  missing   ENQ-002, FMT-001, FMT-002: taken out of the collection, perhaps by */conftest.py",
        ),
        (
            DESELECTS,
            "  missing   ENQ-002, FMT-001, FMT-002: deselected by */conftest.py:5",
        ),
        (
            "def pytest_collection_modifyitems(items):\n    items[2].add_marker(pytest.mark.xfail(reason='later'))\n",
            "  missing   ENQ-002: marked as xfail: later",
        ),
        (
            "def pytest_collection_modifyitems(items):\n    items[2].add_marker(pytest.mark.xfail(run=False))\n",
            "  missing   ENQ-002: marked as xfail: *",
        ),
        (
            "@pytest.fixture(autouse=True)\ndef breaks():\n    raise OSError('disk full')\n",
            "  missing   CFG-001, *: failed in setup at */conftest.py:4 (OSError: disk full)",
        ),
        (
            "def pytest_collection_modifyitems(items):\n    items[2].add_marker(pytest.mark.skip(reason='later'))\n",
            "  missing   ENQ-002: skipped by a mark (later)",
        ),
    ],
    ids=["skip", "removal", "deselection", "xfail", "xfail-norun", "fixture", "skip-mark"],
)
def test_whoever_keeps_items_from_being_judged_is_named_and_the_run_is_red(certify, pytester, conftest, missing):
    pytester.makeconftest(f"import pytest\n{conftest}")
    result = certify()
    assert result.ret == 1
    result.stdout.fnmatch_lines([missing, "INCOMPLETE · /Bar/1 · *not judged"])
    result.stdout.no_fnmatch_line("CONFORMS*")


def test_what_another_plugin_raises_around_a_rule_stays_told(certify, pytester):
    pytester.makepyfile(
        leaks="""
        import pytest
        @pytest.hookimpl(hookwrapper=True)
        def pytest_pyfunc_call(pyfuncitem):
            yield
            if pyfuncitem.name == "ENQ-002":
                raise ValueError("a file was left open")
        """
    )
    result = certify("-p", "leaks")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["E *ValueError: a file was left open", "INCOMPLETE · /Bar/1 · *"])


def test_a_foreign_xfail_mark_does_not_hide_a_failure(certify, pytester):
    pytester.makeconftest(
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    for item in items:\n        item.add_marker(pytest.mark.xfail(reason='later'))\n"
    )
    result = certify(plugin=WRONG_SUM)
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["FAILS · /Bar/1 · 1 rule failed (ENQ-002)*"])


def test_a_run_that_stops_early_certifies_nothing(certify):
    result = certify("-x", plugin=TWO_PLUGINS + WRONG_SUM)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["FAILS · /Bar/1 · 1 rule failed (ENQ-002), 2 rules passed*2 rules not judged", "INCOMPLETE · /Foo/2 · *"]
    )


def test_a_case_that_shows_nothing_of_what_is_selected_fails_in_no_report_where_another_case_does(certify, pytester):
    cases = "PLUGINS = {'/Bar/1': [case('a'), case('b')]}\n"
    first = pytester.path / "first"
    first.touch()
    judge = (
        f"import pathlib\nfirst = pathlib.Path({str(first)!r})\n"
        "def cfg_001(): return first.unlink() or 3 if first.exists() else not_run('it has no reference')\n"
    )
    reports = ("--plugin-report=markdown:r.md", "--plugin-report=github:-", "--plugin-select=CFG-001")
    result = certify(*reports, plugin=cases + judge)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["PARTIAL · /Bar/1 · *"])
    result.stdout.no_fnmatch_line("::error*")
    assert "| `/Bar/1` | `b` | PARTIAL | 1 NOT-RUN (CFG-001) | 0 |" in (pytester.path / "r.md").read_text()
    result = certify(*reports, plugin=cases + judge)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["::error *::/Bar/1, case a: no rule passed, so it FAILS"])


def test_a_case_alone_makes_no_plugin_conform_in_any_report(certify, pytester):
    cases = "PLUGINS = {'/Bar/1': [case('a'), case('b')]}\n"
    result = certify("--plugin-report=json:r.json", "conformance::/Bar/1::a", plugin=cases)
    result.stdout.fnmatch_lines(["PARTIAL · /Bar/1 · *"])
    (entry,) = json.loads((pytester.path / "r.json").read_text())["plugins"]
    assert (entry["verdict"], entry["plugin_verdict"]) == ("CONFORMS", "PARTIAL")
