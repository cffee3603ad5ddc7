"""A rule is explained with its facts, how it is checked, and what it catches."""

import json
import re

import pytest

from harness.contract import catalogue
from harness.contract.explaining import corrections, explanation, witnesses
from harness.contract.extra_tools import ALL

RULES = catalogue.load(ALL).rules


def test_an_explanation_answers_the_readers_questions():
    shown = explanation.explanation(RULES["FMT-001"])
    for words in (
        "FMT-001: The answer of supports_format_combination for pos depends only on positions 0..pos.",
        "why         TensorRT fills",
        "source      IPluginV2DynamicExt, IPluginV3OneBuild (Python API), supports_format_combination",
        "severity    error",
        "faulty      plugin_examples/faulty/formats/format_peeks_ahead.py:12",
        "            if pos == 0 and in_out[1].type == in_out[0].type:",
        "fixed       return super().supports_format_combination(pos, in_out, num_inputs)",
        "fix         Decide from in_out[0] to in_out[pos] only.",
        "real bug    The answer for one tensor looks at tensors that are not described yet.",
    ):
        assert words in shown
    assert "looks with" not in shown


def test_verbose_adds_the_facts_for_maintainers():
    shown = explanation.explanation(RULES["FMT-001"], verbose=True)
    for words in (
        "interfaces  IPluginV2DynamicExt, IPluginV2IOExt, IPluginV3",
        "level       1 (smoke) and above",
        "requires    ",
        "checked by  answer_ignores_later_positions in conformance/rules/formats.py:",
        "looks with  formats.formats.Asker: ",
        "sound       plugin_examples/faulty/bases/sound_scale.py:",
        "return here.type == in_out[0].type",
    ):
        assert words in shown


@pytest.fixture(scope="module")
def explained():
    """Return ``{rule: its explanation}``."""
    return {rule_id: explanation.explanation(rule) for rule_id, rule in RULES.items()}


def test_a_witness_with_one_method_shows_the_defect_before_others():
    found = corrections.correction(witnesses.by_rule({"FMT-013"})["FMT-013"])
    assert found
    assert len([name for excerpt in found.fault.faulty for name in corrections._methods(excerpt)]) == 1


def test_every_rule_shows_a_fix_in_words(explained):
    lines = {rule_id: text.splitlines() for rule_id, text in explained.items()}
    without = [name for name, each in lines.items() if not any(line.startswith("fix ") for line in each)]
    assert without == []


@pytest.mark.parametrize("rule_id", ["PFD-004", "CFG-012", "CLN-002"])
def test_the_fixed_lines_differ_visibly(rule_id):
    found = corrections.correction(witnesses.by_rule({rule_id})[rule_id])
    assert found
    assert found.fixed
    assert not {line.strip() for line in found.faulty} & {line.strip() for line in found.fixed}


def test_no_correction_is_empty_or_passes():
    found = {rule_id: corrections.correction(faults) for rule_id, faults in witnesses.by_rule(set(RULES)).items()}
    shown = {rule_id: each for rule_id, each in found.items() if each}
    assert [
        name
        for name, each in shown.items()
        if each.faulty == each.fixed or {line.partition("#")[0].strip() for line in each.fixed} <= {""}
    ] == []
    assert set(RULES) - set(shown) == {"THR-005", *(f"NAT-00{number}" for number in range(1, 9))}


@pytest.mark.parametrize(
    ("rule_id", "faulty", "fixed"),
    [
        ("ENQ-008", "cp.cuda.runtime.free(inputs[0])", "super().enqueue("),  # its only method adds the fault
        ("CRE-008", "raise ValueError(", "return super().create_plugin("),  # it returns what the other method returns
        ("CRE-009", "def create_plugin(self, name, fc)", "def create_plugin(self, name, field_collection)"),
        ("DST-007", "self.clones.append(", "self.copy_identity_to("),  # other methods show no correction
    ],
)
def test_code_that_a_method_adds_is_the_fault_if_no_other_method_may_be(rule_id, faulty, fixed):
    found = corrections.correction(witnesses.by_rule({rule_id})[rule_id])
    assert faulty in "".join(found.faulty)
    assert fixed in "".join(found.fixed)


def test_an_example_of_a_decorated_plugin_shows_its_functions(explained):
    assert "run_shift(x, ADDEND, outputs[0], stream)" in explained["QDP-008"]


def test_no_explanation_shows_marks_of_a_docstring_or_names_of_helpers(explained):
    assert [rule_id for rule_id, text in explained.items() if "``" in text or re.search(r"<\w*_\w*>", text)] == []


def test_a_fix_names_what_the_module_knows_and_what_its_functions_return():
    rules = ("CFG-012", "WSP-003", "CRE-009", "SER-008", "TAC-004")
    shown = {rule_id: dict(explanation._fix(RULES[rule_id]))["fix"] for rule_id in rules}
    assert shown["CFG-012"].startswith("Handle every type")
    assert shown["WSP-003"].startswith("Return from get_workspace_size all bytes")
    assert shown["CRE-009"].startswith("Name the parameters name, field_collection")
    assert shown["SER-008"].startswith("Put every parameter into get_fields_to_serialize")  # a constant of the module
    assert shown["TAC-004"].startswith("Accept every tactic that get_valid_tactics returns")  # a default of a parameter


def test_of_several_fixes_that_of_the_first_finding_is_shown():
    assert dict(explanation._fix(RULES["QDP-014"]))["fix"].startswith("Check is_fake before is_constant")


def test_every_rule_can_be_explained(explained):
    assert [rule_id for rule_id in RULES if not explained[rule_id].startswith(f"{rule_id}: ")] == []
    data = {rule_id: json.loads(json.dumps(explanation.as_data(rule))) for rule_id, rule in RULES.items()}
    assert [rule_id for rule_id in RULES if data[rule_id]["id"] != rule_id] == []


def test_an_engine_driving_rule_says_so():
    assert "with every seed of the run" in explanation.explanation(RULES["DST-007"], verbose=True)


def test_without_the_examples_there_is_no_faulty_one(monkeypatch):
    monkeypatch.setattr(witnesses, "_folder", lambda: None)
    assert witnesses.by_rule({"FMT-001"}) == {}


def test_severities_are_told_for_each_spec():
    assert "severity    error; TensorRT 8.6: warning" in explanation.explanation(RULES["CLN-003"])


def test_a_rule_of_a_tool_says_which_option_it_takes():
    told = explanation.explanation(RULES["SAN-001"])
    assert "severity    error; with --plugin-sanitizer=memcheck" in told
    assert "plugin_examples/faulty/sanitizing/neighbor_with_the_weight_zero.py" in told
