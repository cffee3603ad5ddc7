"""Each attack on the judge, and what becomes of it: none may get a wrong plugin a PASS, but for those that are left."""

import importlib.util
import os
import py_compile
import re
import shutil
from pathlib import Path

import pytest

from harness.cases.case import CaseError, Tolerance
from tests.attacks.attacking import attacks, outcome

INTERFERED = "interfered with its judge: "
WROTE = f"FAIL the plugin {INTERFERED}it wrote an answer that the rule did not give"
SEEN = "FAIL the outputs of enqueue differ from the case's reference"
TRACED = f"FAIL the plugin {INTERFERED}enqueue set a trace or profile function"
CASE = f"FAIL the plugin {INTERFERED}it changed the case that it is judged by"
REPLACED = f"FAIL the plugin {INTERFERED}it replaced "
BECOMES = {
    "adds_a_property": f"{REPLACED}harness.cases.case.Tolerance.atol",
    "answers_and_exits": WROTE,
    "answers_and_goes_on": WROTE,
    "answers_at_exit": "FAIL enqueue raised SystemExit: 0",
    "answers_at_import": f"import: {INTERFERED}it wrote an answer that the rule did not give",
    "answers_from_a_fork": WROTE,
    "answers_from_a_thread": WROTE,
    "asks_for_the_secret": f"FAIL the plugin {INTERFERED}it announced an answer before the rule had ended",
    "blames_another": "BLOCKED destroy died by SIGABRT: reported by DST-003; this fails too",
    "blames_nobody": "FAIL nothing died by SIGABRT",
    "calls_itself_not_run": "FAIL enqueue raised NotRunError: no machine has a device for it",
    "changes_a_class": f"{REPLACED}the class of an object: harness.checks.observation.comparing.ByTheLargest",
    "changes_its_fields": CASE,
    "changes_the_inputs": SEEN,
    "equals_all_arrays": SEEN,
    "equals_everything": f"{REPLACED}harness.checks.observation.comparing._difference",
    "ends_another_way": f"FAIL the plugin {INTERFERED}after its answer the process died by SIGABRT",
    "lenient_mapping": SEEN,
    "lenient_numbers": SEEN,
    "lowers_the_recursion_limit": f"FAIL the plugin {INTERFERED}it lowered the recursion limit to ",
    "makes_rules_not_apply": f"import: {INTERFERED}it replaced rule ",
    "patches_a_rule_in_enqueue": f"{REPLACED}conformance.rules.execution.first_difference",
    "patches_below_numpy": f"{REPLACED}numpy.",
    "patches_comparing": f"import: {INTERFERED}it replaced harness.checks.observation.comparing._difference",
    "patches_findings": f"import: {INTERFERED}it replaced harness.contract.finding.Finding.__init__",
    "patches_encoding": f"{REPLACED}json.encoder.JSONEncoder.iterencode",
    "patches_in_enqueue": f"{REPLACED}harness.checks.observation.comparing._difference",
    "patches_methods_of_arrays": f"{REPLACED}numpy.ndarray.any",
    "patches_numpy": f"{REPLACED}numpy.abs",
    "patches_the_check": CASE,
    "patches_the_oracle": f"import: {INTERFERED}it replaced harness.checks.sampling.oracle.reference_outputs",
    "patches_the_rules": f"import: {INTERFERED}it replaced conformance.rules.",
    "patches_writing": f"{REPLACED}json.dumps",
    "quits_a_debugger": "FAIL enqueue raised BdbQuit",
    "relays_the_answer": "FAIL the plugin closed file descriptors that it had not opened",
    "replaces_modules": SEEN,
    "replaces_the_exit": f"{REPLACED}os._exit",
    "says_too_much": "FAIL enqueue raised ValueError: xxx",
    "searches_memory": WROTE,
    "shadows_a_builtin": f"{REPLACED}harness.checks.observation.comparing.zip",
    "swaps_the_case": CASE,
    "swaps_the_reference": CASE,
    "swaps_the_references_code": CASE,
    "swaps_what_the_reference_calls": CASE,
    "takes_findings_back": TRACED,
    "traces_the_judge": TRACED,
    "widens_tolerances": f"{REPLACED}harness.checks.observation.comparing.DEFAULT_TOLERANCES.float32.atol",
}
#: By day one attack of each kind; by night all of them.
BY_DAY = {
    "answers_and_exits",
    "calls_itself_not_run",
    "changes_its_fields",
    "makes_rules_not_apply",
    "patches_in_enqueue",
    "searches_memory",
    "swaps_the_reference",
    "takes_findings_back",
}
#: What docs/contributing/trust.md says is left, and what to do about it.
LEFT = {
    "acts_in_a_thread": "PASS",
    "acts_later": "PASS",
    "acts_on_a_timer": "PASS",
    "asks_its_reference": "PASS",
    "audits_the_judge": "PASS",
    "behaves_when_watched": "PASS",
    "changes_its_cases": "PASS",
    "huge_tolerance": "PASS: its tolerance is 1e+30 for float32 (usual: 1e-05); "
    "its tolerance is 1e+30 for float16 (usual: 0.01)",
    "reference_is_its_input": "PASS: its reference equals one of its inputs",
    "patches_and_restores": "PASS",
    "speaks_the_protocol": "PASS",
    "takes_the_output_for_right": "PASS: its reference equals one of its inputs",
    "writes_memory": "PASS",
    "writes_memory_as_a_file": "PASS",
    "writes_variables": "PASS",
}
#: Those of them that race with the judge, and lose at times.
RACING = {"acts_in_a_thread", "acts_on_a_timer"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in BY_DAY else [pytest.mark.nightly]) for name in BECOMES]
)
def test_what_becomes_of_an_attack(name):
    assert outcome(name).startswith(BECOMES[name])


@pytest.mark.nightly
@pytest.mark.parametrize("name", LEFT)
def test_what_is_left(name):
    assert outcome(name).startswith((LEFT[name], SEEN) if name in RACING else LEFT[name])


def test_each_attack_is_stopped_or_said_to_be_left():
    helpers = {"forged_answer", "offers_rules", "rewrites_itself", "unending_tolerance"}
    assert {*attacks()} == {*BECOMES, *LEFT, *helpers}


def test_the_table_of_attacks_has_each_and_says_which_are_left():
    rows = [line for line in Path("docs/contributing/trust.md").read_text().splitlines() if line.startswith("| `")]
    told = {name: row for row in rows for name in re.findall(r"`(\w+)`", row.split(":")[0])}
    assert {*told} == {*attacks()} - {"forged_answer"}
    passed = {name for name, row in told.items() if "PASS" in row.split("|")[-2]}
    assert passed == {*LEFT}


def test_rules_that_a_folder_of_the_users_offers_are_not_loaded(tmp_path):
    shutil.copy(attacks()["offers_rules"], tmp_path)
    about = tmp_path / "more_rules-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: more-rules\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[trt_conformance.rules]\nmore = offers_rules\n")
    assert outcome("offers_rules", tmp_path) == SEEN


def test_a_module_that_rewrites_itself_is_not_judged(tmp_path):
    shutil.copy(attacks()["rewrites_itself"], tmp_path)
    assert "changed while it was imported" in outcome("rewrites_itself", tmp_path)


@pytest.mark.parametrize("mode", ["TIMESTAMP", "UNCHECKED_HASH"])
def test_a_compiled_file_is_not_taken_for_its_source(tmp_path, mode):
    source, sound = tmp_path / "compiled.py", tmp_path / "sound.py"
    text = "from {} import SCALE_CASES as PLUGIN_CASES, {name}, publish\npublish({name})\n"
    sound.write_text(text.format("plugin_examples.faulty.bases.sound_scale", name="Scale"))
    source.write_text(text.format("wrong_scale", name="WrongScale").ljust(sound.stat().st_size, "\n"))
    os.utime(source, ns=(0, sound.stat().st_mtime_ns))
    how = py_compile.PycInvalidationMode[mode]
    py_compile.compile(str(sound), importlib.util.cache_from_source(str(source)), invalidation_mode=how)
    assert outcome("compiled", tmp_path) == SEEN


@pytest.mark.parametrize("near", [float("inf"), float("nan"), -1.0])
def test_a_tolerance_without_end_is_refused(near):
    with pytest.raises(CaseError, match="a number from 0 up"):
        Tolerance(atol=near)


def test_a_tolerance_that_was_set_behind_its_checks_is_refused():
    assert "discovery: " in outcome("unending_tolerance")
    assert "atol is inf: write a number from 0 up" in outcome("unending_tolerance")
