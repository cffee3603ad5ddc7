"""The published schema takes what real runs write, notices what is wrong, and we read what it takes."""

import copy
import json

import pytest

from harness.config.report_targets import ReportFormat
from harness.contract.codec import FormError
from harness.results.report import Report, schema_text

pytest_plugins = ["pytester"]

#: The formats that tell in words what is wrong.
TELLING = (ReportFormat.JSON, ReportFormat.SARIF, ReportFormat.GITHUB, ReportFormat.MARKDOWN)

EVERYTHING = """
KNOWN = {'ENQ-002': {'reason': 'see issue 12', 'fingerprint': '924f8dd16119'}}
PLUGINS = {'/Bar/1': [case('a', expected_failures=KNOWN)]}
def fmt_001(): return 'it looked past pos'
def fmt_002(): return 'it took two answers'
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


@pytest.fixture
def whole(make):
    """A document in which nothing that may be there is missing."""
    mishap = {
        "callback": "enqueue",
        "how": "raised",
        "where": "",
        "becomes": "",
        "stack": "",
        "calls": ["clone"],
        "skipped": False,
    }
    drawn = {"examples": [{"shapes": [[1]]}], "replay": "pytest", "drawn": {"seed": 0, "stream": "ff", "judged": 3}}
    failing = make.result("FUZ-001", "FAIL", make.violation("wrong"), mishap=mishap, **drawn)
    told = {name: failing[name] for name in failing if name not in {"id", "severity", "evidence", "device", "known"}}
    del told["fails"]
    return make.document(
        make.plugin(failing),
        modules=[{"module": "dies", "given": "dies", "file": "", "rule": "IMPORT", **told}],
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


def reads(document):
    try:
        Report.from_plain(document)
    except FormError:
        return False
    return True


def test_every_edit_is_judged_as_jsonschema_judges_it(whole, report_validator):
    assert Report.from_plain(whole).to_plain() == whole
    refused = set()
    for path in list(places(whole))[1:]:
        for name, change in CHANGES.items():
            document = edited(whole, path, change)
            theirs = next(report_validator.iter_errors(document), None)
            assert (theirs is None) == reads(document), (path, name)
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


def fields(schema):
    """Yield name and schema of every field, at any depth."""
    for name, field in schema.get("properties", {}).items():
        yield name, field
        yield from fields(field)
    for holder in (schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())):
        if isinstance(holder, dict):
            yield from fields(holder)


def test_every_field_is_described():
    found = dict(fields(json.loads(schema_text())))
    assert len(found) > 70
    words = {"PASS", "FAIL", "WARN", "N/A", "BLOCKED", "NOT-RUN", "XFAIL", "XPASS", "8.6", "10", "11"}
    assert [name for name, field in found.items() if "description" not in field and name not in words] == []


def test_a_problem_is_told_with_its_place(whole):
    whole["plugins"][0]["rules"][0]["verdict"] = "GOOD"
    with pytest.raises(FormError, match=r"^plugins\[0\]\.rules\[0\]\.verdict is 'GOOD', not one of PASS, FAIL, "):
        Report.from_plain(whole)


def test_a_report_of_an_older_version_is_read_as_if_it_said_what_was_meant(whole):
    older = copy.deepcopy(whole)
    del older["baseline"], older["sources"], older["options"]["baseline"], older["plugins"][0]["rules"][0]["known"]
    assert Report.from_plain(older).to_plain() == whole


def test_an_option_that_is_added_later_is_kept(whole):
    whole["options"]["later"] = [1]
    assert Report.from_plain(whole).to_plain() == whole
