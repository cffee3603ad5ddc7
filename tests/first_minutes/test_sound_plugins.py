"""Plugins as users write them from memory conform, with a case and without one."""

import shutil

import pytest

from tests.support.planted import CHECKED_ELSEWHERE, PLUGINS, edited

pytest_plugins = ["pytester"]

SOUND = ("gelu_plugin", "bias_plugin", "nonzero_plugin", "layer_norm_plugin")


@pytest.mark.nightly
@pytest.mark.parametrize("has_case", [True, False])
@pytest.mark.parametrize("plugin", SOUND)
def test_a_sound_plugin_conforms(pytester, certify_as_a_user, plugin, has_case):
    shutil.copy(PLUGINS / f"{plugin}.py", pytester.path)
    if has_case:
        shutil.copy(PLUGINS / f"{plugin}_cases.py", pytester.path)
    result, report = certify_as_a_user(f"--plugin-module={plugin}")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["CONFORMS level 5 · *"])
    unchecked = "results not checked (no reference)" in result.stdout.str()
    assert unchecked is not has_case
    assert [report["counts"][verdict] for verdict in ("FAIL", "BLOCKED")] == [0, 0]


@pytest.mark.nightly
@pytest.mark.parametrize("place", CHECKED_ELSEWHERE)
def test_a_sound_plugin_conforms_without_a_case_wherever_it_checks_its_weights(pytester, certify_as_a_user, place):
    plugin, edits = CHECKED_ELSEWHERE[place]
    (pytester.path / f"{plugin}.py").write_text(edited(plugin, edits))
    result, report = certify_as_a_user(f"--plugin-module={plugin}")
    assert result.ret == pytest.ExitCode.OK
    verdicts = {rule["id"]: rule["verdict"] for entry in report["plugins"] for rule in entry["rules"]}
    assert verdicts["CRE-005"] == "PASS"
