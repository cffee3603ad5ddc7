"""A rule is explained with its facts, how it is checked, and what it catches."""

import json

from harness.contract import catalogue, explanation, witnesses
from harness.contract.extra_tools import ALL

RULES = catalogue.load(ALL).rules


def test_an_explanation_answers_what_one_asks():
    told = explanation.explanation(RULES["FMT-001"])
    for words in (
        "FMT-001: The answer for pos depends only on positions 0..pos.",
        "why         TensorRT fills",
        "source      IPluginV2DynamicExt, IPluginV3OneBuild (Python API), supports_format_combination",
        "interfaces  IPluginV2DynamicExt, IPluginV2IOExt, IPluginV3",
        "level       1 (smoke) and above",
        "requires    ",
        "checked by  answer_ignores_later_positions in conformance/rules/formats.py:",
        "looks with  formats.formats.Asker: ",
        "faulty      plugin_examples/faulty/formats/format_peeks_ahead.py:",
        "if pos == 0 and in_out[1].type == in_out[0].type:",
        "mended      plugin_examples/faulty/bases/sound_scale.py:",
        "return here.type == in_out[0].type",
    ):
        assert words in told


def test_every_rule_can_be_explained():
    told = {rule_id: explanation.explanation(rule) for rule_id, rule in RULES.items()}
    assert [rule_id for rule_id in RULES if not told[rule_id].startswith(f"{rule_id}: ")] == []
    data = {rule_id: json.loads(json.dumps(explanation.as_data(rule))) for rule_id, rule in RULES.items()}
    assert [rule_id for rule_id in RULES if data[rule_id]["id"] != rule_id] == []


def test_an_engine_driving_rule_says_so():
    assert "judged with every seed" in explanation.explanation(RULES["DST-007"])


def test_without_the_examples_there_is_no_faulty_one(monkeypatch):
    monkeypatch.setattr(witnesses, "_folder", lambda: None)
    assert witnesses.by_rule({"FMT-001"}) == {}


def test_severities_are_told_for_each_spec():
    assert "severity    error; TensorRT 8.6: warning" in explanation.explanation(RULES["CLN-003"])


def test_a_rule_of_a_tool_says_which_option_it_takes():
    told = explanation.explanation(RULES["SAN-001"])
    assert "5 (default) and above, with --plugin-sanitizer=memcheck" in told
    assert "plugin_examples/faulty/sanitizing/neighbor_with_the_weight_zero.py" in told
