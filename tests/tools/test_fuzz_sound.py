"""The long run over sound examples: what it judges, that it sees failures, and that it says how to replay them."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from harness.contract.finding import Violation
from harness.contract.verdict import Answer, Kind
from harness.controller.fuzz.search import SearchResult
from harness.protocol.messages import ChildSettings
from tests.support import fuzzed, witnesses
from tools import fuzz_sound

ROOT = Path(__file__).parents[2]
WRONG = Answer(
    Kind.JUDGED, evidence=1, broken=1, violations=(Violation("wrong", "here", "right", "wrong", "Mend it."),)
)


def options(*names, near_misses=False):
    return argparse.Namespace(names=list(names), near_misses=near_misses)


def test_every_sound_example_is_judged_and_near_misses_on_request():
    assert fuzz_sound.chosen(options()) == witnesses.examples()
    assert set(fuzz_sound.chosen(options(near_misses=True))) == {*witnesses.examples(), *witnesses.near_misses()}
    near_miss = next(iter(witnesses.near_misses()))
    assert fuzz_sound.chosen(options(near_miss.rpartition(".")[2])) == [near_miss]
    with pytest.raises(SystemExit, match="nothing_of_ours"):
        fuzz_sound.chosen(options("nothing_of_ours"))


def test_every_seed_is_judged_on_every_module_once():
    planned = fuzz_sound.tasks(["a", "b"], 5, 45)
    for module in "ab":
        assert [seed for name, seeds in planned if name == module for seed in seeds] == list(range(5, 50))


def test_a_failure_is_told_with_the_command_that_replays_it():
    found = SearchResult(WRONG, ({"shapes": [[1, 7]]},))
    searched = fuzzed.Searched("/Bar/1", "rows", "FUZ-003", 9, found)
    first, second = fuzz_sound.message(ChildSettings("bar"), searched).splitlines()
    assert first == "FAIL bar conformance::/Bar/1::rows::FUZ-003 with seed 9: wrong"
    assert second == (
        "  replay trt-conformance replay conformance::/Bar/1::rows::FUZ-003 --module bar --seed 9 "
        """--example '{"shapes":[[1,7]]}'"""
    )


@pytest.mark.nightly
def test_what_is_sound_passes_and_what_is_not_is_seen():
    searches, failures = fuzz_sound.judged("plugin_examples.faulty.fuzzing.tail_of_seven_left_out", range(1))
    assert searches >= 1
    assert any("::FUZ-003 with seed 0: " in failure for failure in failures)


@pytest.mark.nightly
def test_the_command_sums_up_and_exits_zero_where_nothing_fails():
    name = witnesses.examples()[0].rpartition(".")[2]
    command = [sys.executable, ROOT / "tools" / "fuzz_sound.py", name, "--runs=2", "--jobs=1"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603 - our own
    assert result.returncode == 0, result.stderr
    assert f"1/1 {name}, seeds 0-1: " in result.stdout
    assert result.stdout.splitlines()[-1].startswith("2 runs of ")
