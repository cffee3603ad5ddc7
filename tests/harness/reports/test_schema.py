"""The published schema takes what real runs write, notices what is wrong, and our reading of it is jsonschema's."""

import copy
import json

import pytest

from harness.config.report_targets import ReportFormat
from harness.reports import schema

pytest_plugins = ["pytester"]

#: The formats that tell in words what is wrong.
TELLING = (ReportFormat.JSON, ReportFormat.SARIF, ReportFormat.GITHUB, ReportFormat.MARKDOWN)

EVERYTHING = """
KNOWN = {'ENQ-002': {'reason': 'see issue 12', 'fingerprint': '924f8dd16119'}}
PLUGINS = {'/Bar/1': [case('a', expected_failures=KNOWN)]}
def fmt_001(): return 'it looked past pos'
def cfg_001(): return 'it printed'
def enq_001(): return met('enqueue')
def enq_002(): return 'the sum is wrong'
"""


def certified(certify, pytester, *arguments, **more):
    certify("--plugin-report=json:report.json", *arguments, **more)
    return json.loads((pytester.path / "report.json").read_text())


def verdicts(document):
    return {rule["id"]: rule["verdict"] for plugin in document["plugins"] for rule in plugin["rules"]}


def test_a_run_with_failures_warnings_crashes_and_a_module_that_dies_is_valid_in_every_format(
    certify, pytester, check_formats
):
    pytester.makepyfile(dies="import os\nos.abort()")
    document = certified(certify, pytester, plugin=EVERYTHING, modules=("my_plugin", "dies"))
    assert verdicts(document) == {
        "FMT-001": "FAIL",
        "FMT-002": "BLOCKED",
        "CFG-001": "WARN",
        "ENQ-001": "FAIL",
        "ENQ-002": "XFAIL",
    }
    assert {rule["id"] for rule in document["plugins"][0]["rules"] if rule["fails"]} == {"FMT-001", "ENQ-001"}
    assert document["modules"][0]["file"] == str(pytester.path / "dies.py")
    texts = check_formats(document)
    assert all("died by SIGABRT" in texts[form] for form in TELLING)


def test_a_run_without_a_fault_is_valid_in_every_format(certify, pytester, check_formats):
    document = certified(certify, pytester)
    assert set(verdicts(document).values()) == {"PASS"}
    check_formats(document)


def test_a_run_in_which_a_rule_fails_by_itself_is_valid_in_every_format(certify, pytester, check_formats):
    plugin = "def fmt_001(): return Answer(Kind.BROKEN, reason='Traceback ...')"
    document = certified(certify, pytester, plugin=plugin)
    assert document["internal_errors"]
    check_formats(document)


def test_an_interrupted_run_is_valid_in_every_format_and_says_so(certify, pytester, check_formats):
    pytester.makepyfile(interrupts="def pytest_runtest_logreport(): raise KeyboardInterrupt")
    document = certified(certify, pytester, "-p", "interrupts")
    assert document["status"] == "interrupted"
    texts = check_formats(document)
    assert all("interrupted" in texts[form] for form in TELLING)


@pytest.mark.slow
def test_a_fuzz_failure_and_an_application_are_valid_in_every_format(certify_as_a_user, check_formats):
    _, document = certify_as_a_user(
        "--plugin-module=plugin_examples.faulty.fuzzing.last_of_an_odd_number_left_out",
        "--plugin-app=plugin_examples.faulty.contexts.failed_execution_read:main",
        "--plugin-select=FUZ-003,CTX-014",
        "-p",
        "no:cacheprovider",
    )
    failing = {rule["id"]: rule for plugin in document["plugins"] for rule in plugin["rules"] if rule["fails"]}
    assert set(failing) == {"FUZ-003", "CTX-014"}
    assert failing["FUZ-003"]["examples"]
    assert failing["FUZ-003"]["replay"]
    check_formats(document)


@pytest.fixture
def whole(make):
    """A document in which nothing that may be there is missing."""
    mishap = {"callback": "enqueue", "how": "raised", "where": "", "becomes": "", "stack": "", "calls": ["clone"]}
    drawn = {"examples": [{"shapes": [[1]]}], "replay": "pytest", "drawn": {"seed": 0, "stream": "ff", "judged": 3}}
    failing = make.result("FUZ-001", "FAIL", make.violation("wrong"), shard="1/2", mishap=mishap, **drawn)
    told = {name: failing[name] for name in failing if name not in {"id", "shard", "severity", "evidence", "device"}}
    del told["fails"]
    return make.document(
        make.plugin(failing),
        modules=[{"module": "dies", "given": "dies", "file": "", **told}],
        not_run=[{"id": "conformance::/Bar/1::rows::FMT-001", "reason": "not selected"}],
        databases=["/cache"],
        internal_errors=["rule FMT-001 failed by itself"],
    )


def places(value, path=()):
    """Yield the path of everything in a document."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*path, key))


def edited(document, path, change):
    made = copy.deepcopy(document)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return made


def test_every_edit_is_judged_as_jsonschema_judges_it(whole, report_validator):
    ours = schema.load()
    assert list(schema.problems_of(whole, ours)) == []
    refused = set()
    for path in list(places(whole))[1:]:
        for name, change in CHANGES.items():
            document = edited(whole, path, change)
            theirs = next(report_validator.iter_errors(document), None)
            assert (theirs is None) == (not any(True for _ in schema.problems_of(document, ours))), (path, name)
            if theirs is not None:
                refused.add(path)
    accepted = [path for path in list(places(whole))[1:] if path not in refused and "examples" not in path]
    assert accepted == []


def _rename(holder, key):
    if isinstance(holder, dict):
        holder[f"{key}?"] = holder.pop(key)


CHANGES = {
    "taken away": lambda holder, key: holder.pop(key),
    "renamed": _rename,
    "a number": lambda holder, key: holder.__setitem__(key, -1.5),
    "a truth": lambda holder, key: holder.update({key: True}) if isinstance(holder, dict) else None,
    "a word": lambda holder, key: holder.__setitem__(key, "GOOD"),
    "a list": lambda holder, key: holder.__setitem__(key, [1]),
    "null": lambda holder, key: holder.__setitem__(key, None),
}


def test_every_field_is_described():
    published = schema.load()
    fields = [
        (name, field)
        for holder in (published, *published["$defs"].values())
        for name, field in holder.get("properties", {}).items()
    ]
    assert len(fields) > 70
    assert [name for name, field in fields if "description" not in field and "$ref" not in field] == []


def test_a_word_of_the_schema_that_is_not_understood_is_an_error():
    with pytest.raises(ValueError, match="'maxLength', which nothing here judges"):
        list(schema.problems_of("long", {"maxLength": 3}))


def test_a_problem_is_told_with_its_place(whole):
    whole["plugins"][0]["rules"][0]["verdict"] = "GOOD"
    (problem,) = schema.problems_of(whole, schema.load())
    assert problem.startswith('plugins[0].rules[0].verdict: "GOOD" is none of PASS, FAIL, ')
