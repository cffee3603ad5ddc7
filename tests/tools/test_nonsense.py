"""A run of nonsense that was ended goes on where it stopped."""

import json

from tools import nonsense

BAR = ("plugin_examples.bar", "BarPlugin", "clone")
QUIET = {"internal": [], "broken": {"CLN-006": ["what"]}, "problems": []}


def test_only_kinds_without_a_result_are_left():
    wanted = {BAR: ["a", "b", "c"]}
    assert nonsense.pieces(wanted, {}) == [(BAR, ["a", "b", "c"])]
    assert nonsense.pieces(wanted, {".".join(BAR): {"b": QUIET}}) == [(BAR, ["a", "c"])]
    assert nonsense.pieces(wanted, {".".join(BAR): dict.fromkeys("abc", QUIET)}) == []


def test_a_run_that_is_ended_is_a_sample_of_all_callbacks():
    wanted = {(*BAR[:2], method): list("abcdefgh") for method in ("clone", "destroy", "enqueue", "initialize")}
    order = [callback for callback, _ in nonsense.pieces(wanted, {})]
    assert sorted(order) != order
    assert sorted(order) == sorted([*wanted] * 2)


def test_what_was_found_is_saved_beside_what_there_was(tmp_path, monkeypatch):
    monkeypatch.setattr(nonsense, "told_of", lambda *_: {"an object": QUIET})
    found = {".".join(BAR): {"zero": QUIET}}
    nonsense.judge({BAR: ["zero", "an object"]}, found, 1, None, tmp_path / "found.json")
    assert json.loads((tmp_path / "found.json").read_text()) == {".".join(BAR): {"zero": QUIET, "an object": QUIET}}


def test_a_rule_that_fails_by_itself_is_printed(capsys):
    assert not nonsense.report("bar.clone", {"zero": QUIET, "one": {**QUIET, "broken": {}}})
    assert capsys.readouterr().out == "bar.clone: CLN-006 1\n  no rule reports 1: one\n"
    assert nonsense.report("bar.clone", {"zero": {**QUIET, "internal": ["Boom"]}})
    assert nonsense.report("bar.clone", {"zero": {"died": -9}})
    assert "FAILED BY ITSELF: bar.clone returns zero: -9" in capsys.readouterr().out
