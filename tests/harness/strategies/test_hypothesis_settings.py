"""Hypothesis draws by the seed alone, shrinks, and says nothing."""

import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import hypothesis
from hypothesis import strategies
from hypothesis.internal.conjecture import engine, providers
from hypothesis.stateful import RuleBasedStateMachine, rule

from harness.strategies import hypothesis_settings

HOME = Path(__file__).parents[3]
PAIRS = strategies.tuples(strategies.integers(0, 1000), strategies.integers(0, 1000))


def test_the_same_seed_draws_the_same():
    assert hypothesis_settings.drawn(PAIRS, 50, seeded=7) == hypothesis_settings.drawn(PAIRS, 50, seeded=7)
    assert hypothesis_settings.drawn(PAIRS, 50, seeded=7) != hypothesis_settings.drawn(PAIRS, 50, seeded=8)


def test_a_profile_of_the_user_changes_nothing():
    before = hypothesis_settings.drawn(PAIRS, 50, seeded=7)
    default = hypothesis.settings.get_current_profile_name()
    hypothesis.settings.register_profile("mine", max_examples=3, derandomize=True, phases=[])
    hypothesis.settings.load_profile("mine")
    try:
        assert hypothesis_settings.drawn(PAIRS, 50, seeded=7) == before
    finally:
        hypothesis.settings.load_profile(default)


def test_what_else_is_loaded_changes_nothing_and_nothing_is_written(tmp_path):
    (tmp_path / "constants.py").write_text("NUMBERS = [613, 614, 615, 616, 617, 618]\n" * 20)
    draw = textwrap.dedent("""
        from hypothesis import strategies
        from harness.strategies import hypothesis_settings as hypotheses
        pairs = strategies.tuples(strategies.integers(0, 1000), strategies.integers(0, 1000))
        print(hypotheses.drawn(pairs, 300, seeded=7))
    """)
    told = [
        subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={"PYTHONPATH": f"{HOME}:."},
            capture_output=True,
            check=True,
        )
        for program in (draw, f"import constants\n{draw}")
    ]
    assert told[0].stdout == told[1].stdout
    assert told[0].stderr == told[1].stderr == b""
    assert not (tmp_path / ".hypothesis").exists()


def test_the_habits_of_hypothesis_are_given_back():
    habits = (
        providers.HypothesisProvider._maybe_draw_constant,
        engine.ConjectureRunner.generate_mutations_from,
    )
    hypothesis_settings.drawn(PAIRS, 5, seeded=1)
    hypothesis_settings.drawn(Counting, 5, seeded=1)
    assert habits == (
        providers.HypothesisProvider._maybe_draw_constant,
        engine.ConjectureRunner.generate_mutations_from,
    )


def test_the_smallest_that_fails_is_found():
    found = hypothesis_settings.smallest(PAIRS, 100, lambda pair: pair[0] >= 5 and pair[1] >= 23, seeded=3)
    assert found == (5, 23)


class Counting(RuleBasedStateMachine):
    example = None

    @rule(number=strategies.integers(0, 9))
    def add(self, number):
        self.example = [*(self.example or ()), number]


def test_a_state_machine_hands_out_what_it_wrote():
    examples = hypothesis_settings.drawn(Counting, 40, seeded=7)
    assert (
        examples
        == hypothesis_settings.drawn(Counting, 40, seeded=7)
        != hypothesis_settings.drawn(Counting, 40, seeded=8)
    )
    assert {len(example) for example in examples} == {hypothesis_settings.STEPS}
    assert len(set(map(str, examples))) > 35


def test_what_a_state_machine_wrote_shrinks():
    assert hypothesis_settings.smallest(Counting, 40, lambda example: sum(example) > 20, seeded=7) == [3, 9, 9]
    assert hypothesis_settings.smallest(Counting, 40, lambda _: False, seeded=7) is None


def test_nothing_fails():
    assert hypothesis_settings.smallest(PAIRS, 20, lambda _: False, seeded=3) is None


def test_no_advice_is_given(capfd):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        hypothesis_settings.drawn(strategies.integers(0, 10**6).filter(lambda n: n % 50 == 0), 20, seeded=1)
        hypothesis_settings.smallest(Counting, 20, lambda example: sum(example) > 20, seeded=1)
    assert not told
    assert capfd.readouterr() == ("", "")
