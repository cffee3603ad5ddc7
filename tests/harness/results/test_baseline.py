"""A baseline: what is known does not fail the run, what is new does, and nothing becomes green that was not judged."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.contract.finding import Violation
from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.results.baseline import Baseline, BaselineError
from harness.results.tally import CaseRecord

pytest_plugins = ["pytester"]

LIKE = {"level": 5, "spec": "10", "device": "host"}
CASE = "conformance::/Bar/1::rows"
OLD = "def enq_002(): return 'the sum is wrong'\n"
OTHER = "def enq_002(): return 'the product is wrong'\n"
NEW = "def fmt_001(): return 'new'\ndef fmt_002(): return 'took two answers'\n"
LOOKED = "def fmt_001(): return 'looked'\ndef fmt_002(): return 'took two answers'\n"
WARNS = "def cfg_001(): return 'printed a line'\n"


def result(rule="FMT-001", verdict=Verdict.FAIL, what="lost"):
    bad = verdict in {Verdict.FAIL, Verdict.WARN}
    violations = (Violation(what, "x", "expected", "observed", "fix"),) if bad else ()
    return Result(rule, Severity.ERROR, verdict, 1, violations)


def document(*results, **more):
    rules = [{"id": each.rule, "verdict": each.verdict.value, "fingerprint": each.fingerprint} for each in results]
    case = {"id": CASE, "module": "bar", "interface": "IPluginV3", "device": "host", "rules": rules}
    return {"schema": 1, "status": "complete", "level": 5, "spec": "10", "options": {}, "plugins": [case], **more}


def read(tmp_path, content):
    file = tmp_path / "baseline.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return Baseline.read(file, LIKE)


def test_what_it_has_is_known_and_nothing_else(tmp_path):
    known = result()
    baseline = read(tmp_path, document(known, result("CFG-001", Verdict.PASS)))
    assert baseline.knows(CASE, "FMT-001", known.fingerprint)
    assert not baseline.knows(CASE, "FMT-002", known.fingerprint)
    assert not baseline.knows("conformance::/Bar/1::images", "FMT-001", known.fingerprint)
    assert not baseline.knows(CASE, "FMT-001", result(what="late").fingerprint)
    assert not baseline.knows(CASE, "CFG-001", "")


@pytest.mark.parametrize("verdict", [Verdict.NOT_RUN, Verdict.BLOCKED, Verdict.XFAIL, Verdict.XPASS])
def test_what_was_not_seen_to_fail_is_not_known(tmp_path, verdict):
    assert read(tmp_path, document(result(verdict=verdict))).debts == frozenset()


def test_one_of_two_plugins_of_the_same_key_is_there_under_its_key_alone(tmp_path):
    entry = document()["plugins"][0]
    both = document(plugins=[{**entry, "id": f"conformance::/Bar/1+{name}::rows", "module": name} for name in "ab"])
    baseline = read(tmp_path, both)
    assert baseline.compared(plan("/Bar/1", name="a"), {}).vanished == ()
    without = plan("/Bar/1", name="a")
    without.modules += plan(name="b").modules
    assert baseline.compared(without, {}).vanished == ("/Bar/1+b",)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is no JSON, or not all of it is there"),
        (json.dumps(document(result()))[:-40], "is no JSON, or not all of it is there"),
        ("[]", "is no JSON report of this tool"),
        ("[" * 100_000, "is no JSON"),
        ('{"plugins": []}', "is no JSON report of this tool"),
        (document(schema=2), "has schema 2, and this version reads schema 1"),
        (document(schema=True), "has schema True"),
        (document(status="interrupted"), "is of a run that was interrupted, so it is not complete"),
        (document(level=1), "is of a run with level 1, and this run has level 5"),
        (document(spec="11"), "is of a run with spec 11, and this run has spec 10"),
        (document(plugins=[{"id": CASE}]), "is no JSON report of this tool (KeyError"),
        (document(plugins=[7]), "is no JSON report of this tool (TypeError"),
        (document(plugins=7), "is no JSON report of this tool (TypeError"),
    ],
)
def test_what_cannot_serve_is_told_with_what_to_do(tmp_path, content, told):
    with pytest.raises(BaselineError) as error:
        read(tmp_path, content)
    assert told in str(error.value)
    assert "write it anew, with --plugin-report=json:FILE" in str(error.value)


def test_a_baseline_of_another_device_is_refused(tmp_path):
    on_a_gpu = document(result())
    on_a_gpu["plugins"][0]["device"] = "cuda"
    with pytest.raises(BaselineError, match="with device cuda, and this run has device host"):
        read(tmp_path, on_a_gpu)
    on_a_gpu["plugins"][0].update(device="host", interface="application")
    (tmp_path / "applications.json").write_text(json.dumps(on_a_gpu))
    assert Baseline.read(tmp_path / "applications.json", {**LIKE, "device": "cuda"}).cases == {CASE: "bar"}


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(BaselineError, match="cannot be read: Is a directory"):
        Baseline.read(tmp_path, LIKE)


@pytest.mark.parametrize(
    ("now", "fixed"),
    [
        ([result(verdict=Verdict.PASS)], True),
        ([result(what="late")], False),
        ([result()], False),
        ([result(verdict=Verdict.PASS), result()], False),
        ([result(verdict=Verdict.NOT_RUN)], False),
        ([result(verdict=Verdict.BLOCKED)], False),
        ([None], False),
        ([], False),
    ],
)
def test_what_was_judged_again_and_is_gone_is_fixed(tmp_path, now, fixed):
    baseline = read(tmp_path, document(result()))
    plan = SimpleNamespace(modules=(), plugins=())
    seen = {CASE: [CaseRecord("FMT-001", "rows", each) for each in now]}
    assert baseline.compared(plan, seen).fixed == ((f"{CASE}::FMT-001",) if fixed else ())


def test_a_rule_that_finds_something_else_has_changed(tmp_path):
    baseline = read(tmp_path, document(result()))
    plan = SimpleNamespace(modules=(), plugins=())
    seen = {CASE: [CaseRecord("FMT-001", "rows", result(what="late"))]}
    compared = baseline.compared(plan, seen)
    assert (compared.fixed, compared.changed) == ((), (f"{CASE}::FMT-001",))


def plan(*labels, name="bar", failure=None, left_out=()):
    module = SimpleNamespace(name=name, given=name, failure=failure, left_out=left_out)
    return SimpleNamespace(modules=(module,), plugins=[(module, SimpleNamespace(label=label)) for label in labels])


def test_a_plugin_that_is_no_longer_there_is_told_and_a_module_that_is_not_named(tmp_path):
    baseline = read(tmp_path, document(result()))
    assert baseline.compared(plan("/Bar/1"), {}).vanished == ()
    assert baseline.compared(plan("/Foo/1"), {}).vanished == ("/Bar/1",)
    assert baseline.compared(plan("/Foo/1", left_out=["/Bar/1"]), {}).vanished == ()
    assert baseline.compared(plan("/Foo/1", failure="it dies at import"), {}).vanished == ()
    assert baseline.compared(plan("/Bar/1+bar", "/Bar/1+foo"), {}).vanished == ()  # a second module has one, too
    elsewhere = baseline.compared(plan("/Foo/1", name="foo"), {})
    assert (elsewhere.vanished, elsewhere.unvisited) == ((), ("bar",))


@pytest.fixture
def against(section, tmp_path):
    """Judge one plugin, and then another against what the first one showed."""

    def judge(first, then, **options):
        (tmp_path / "old.json").write_text(json.dumps(section(plugin=first).document))
        return section(plugin=then, baseline="old.json", **options)

    return judge


@pytest.fixture
def certify_against(certify):
    """Run pytest on one plugin, and then on another against what the first one showed."""

    def run(first, then, *arguments):
        certify("--plugin-report=json:old.json", plugin=first)
        return certify("--plugin-baseline=old.json", *arguments, plugin=then)

    return run


def test_what_is_known_is_shown_and_does_not_fail_the_run(certify_against, pytester):
    result = certify_against(OLD, OLD, "--plugin-report=json:new.json", "-ra")
    assert result.ret == 0
    result.assert_outcomes(passed=4, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "conformance ..k..*",
            "  known     ENQ-002 FAIL [[]1 of 2 evaluations]: the sum is wrong",
            "FAILS as the baseline does · /Bar/1 · 1 rule failed as in the baseline (ENQ-002), 4 rules passed, *",
            "baseline old.json: 1 known result",
            "XFAIL conformance::/Bar/1::two-inputs::ENQ-002 - known from the baseline",
        ]
    )
    report = json.loads((pytester.path / "new.json").read_text())
    (case,) = report["plugins"]
    assert case["verdict"] == "FAILS as the baseline does"
    assert {rule["id"] for rule in case["rules"] if rule["known"]} == {"ENQ-002"}
    assert report["baseline"] == {"known": 1, "fixed": [], "changed": [], "vanished": [], "unvisited": []}


def test_what_is_new_fails_the_run_and_what_is_known_stays_so(against):
    printed = against(OLD, OLD + NEW)
    assert not printed.is_good
    printed.fnmatch_lines(
        [
            "FAIL [[]1 of 2 evaluations] · FMT-001: *",
            "  known     ENQ-002 FAIL *",
            "FAILS · /Bar/1 · 1 rule failed (FMT-001), 1 rule failed as in the baseline (ENQ-002), *",
        ]
    )


def test_another_defect_of_a_known_rule_is_new(against):
    printed = against(OLD, OTHER)
    assert not printed.is_good
    printed.fnmatch_lines(["  changed since: conformance::/Bar/1::two-inputs::ENQ-002: what it finds now is new"])
    printed.no_fnmatch_line("*fixed since*")


def test_what_is_fixed_is_told(against):
    printed = against(OLD, "")
    assert printed.is_good
    printed.fnmatch_lines(
        [
            "CONFORMS level 5 · /Bar/1 · 5 rules passed*",
            "baseline old.json: 0 known results",
            "  fixed since: conformance::/Bar/1::two-inputs::ENQ-002; renew it, with --plugin-report=json:old.json",
        ]
    )


@pytest.mark.parametrize("before", ["def enq_002(): return not_run('no GPU')\n", LOOKED])
def test_what_did_not_run_or_was_blocked_before_is_new(against, before):
    assert not against(before, "def enq_002(): return 'wrong'\ndef fmt_002(): return 'wrong'\n").is_good


@pytest.mark.parametrize(("now", "is_good"), [("", True), (NEW, False)])
def test_what_is_blocked_by_a_known_failure_is_not_new_though_that_one_is_not_selected(against, now, is_good):
    known = LOOKED
    printed = against(known, known + now, select="FMT-002,ENQ-001")
    told = (
        "PARTIAL*1 BLOCKED (FMT-002)*"
        if is_good
        else "*FMT-001 was not selected (--plugin-select=FMT-001), and says: new*"
    )
    printed.fnmatch_lines([told])
    assert printed.is_good == is_good


def test_a_plugin_that_vanished_fails_the_run(against):
    printed = against("PLUGINS = ['/Bar/1', '/Foo/2']\n", "")
    assert not printed.is_good
    printed.fnmatch_lines(["CONFORMS level 5 · /Bar/1 · *", "FAILS · it judged /Foo/2, and this run does not find it*"])


def test_a_known_warning_is_no_conformity_where_warnings_fail(against):
    strict = against(WARNS, WARNS, fail_on="warning")
    assert strict.is_good
    strict.fnmatch_lines(["FAILS as the baseline does · /Bar/1 · 1 rule failed as in the baseline (CFG-001), *"])
    lax = against(WARNS, WARNS)
    lax.fnmatch_lines(["  known     CFG-001 WARN *", "CONFORMS level 5 · /Bar/1 · *1 WARN (CFG-001)*"])


def test_what_must_run_counts_as_ever(against):
    printed = against(OLD, OLD + "def cfg_001(): return not_run('no GPU')\n", fail_on="not-run")
    assert not printed.is_good


@pytest.mark.nightly
def test_two_workers_say_the_same(certify_against):
    alone = certify_against(OLD + WARNS, OLD + WARNS)
    spread = certify_against(OLD + WARNS, OLD + WARNS, "-p", "xdist", "-n", "2")
    ours = [[line for line in each.outlines if "known" in line or "baseline" in line] for each in (alone, spread)]
    assert ours[0] == ours[1]
    assert (alone.ret, spread.ret) == (0, 0)


def test_a_baseline_can_be_renewed_in_place(certify_against, certify, pytester):
    certify_against(OLD, OLD + NEW, "--plugin-report=json:old.json")
    assert certify("--plugin-baseline=old.json", plugin=OLD + NEW).ret == 0
    assert Path(pytester.path / "old.json").is_file()


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "*there is no file*"), ("{", "*old.json is no JSON, or not all of it is there*")],
)
def test_a_baseline_that_cannot_be_read_is_a_usage_error(certify, pytester, content, told):
    if content is not None:
        (pytester.path / "old.json").write_text(content)
    result = certify("--plugin-baseline=old.json", "--plugin-report=json:new.json")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: --plugin-baseline={told}"])
    assert not (pytester.path / "new.json").exists()
