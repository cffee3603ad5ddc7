from __future__ import annotations

import pathlib
import re

from reference_runtime.calling.gate import scheduler
from reference_runtime.calling.gate.scheduler import Scheduler, current_scheduler, scheduling


def answers(scheduler):
    return (
        [scheduler.choose("one", "abcd") for _ in range(20)],
        [scheduler.count("many", 1, 4) for _ in range(20)],
        scheduler.order("order", range(9)),
    )


def test_seed_0_takes_the_first_the_fewest_and_the_given_order():
    assert answers(Scheduler()) == (["a"] * 20, [1] * 20, list(range(9)))


def test_a_seed_always_gives_the_same_answers_and_seeds_differ():
    assert answers(Scheduler(7)) == answers(Scheduler(7))
    assert answers(Scheduler(7)) != answers(Scheduler(8))


def test_other_seeds_use_all_options_all_counts_and_lose_nothing():
    chosen, counts, order = answers(Scheduler(3))
    assert set(chosen) == set("abcd")
    assert set(counts) == {1, 2, 3, 4}
    assert sorted(order) == list(range(9))


def test_one_more_question_leaves_the_other_answers_as_they_were():
    disturbed = Scheduler(5)
    disturbed.choose("something else", "xyz")
    assert answers(disturbed) == answers(Scheduler(5))


def test_what_is_made_inside_scheduling_follows_its_seed():
    with scheduling(4):
        with scheduling(9):
            assert current_scheduler().seed == 9
        assert current_scheduler().seed == 4
    assert current_scheduler().seed == 0


def test_a_fixed_decision_takes_its_option_and_leaves_the_others_as_they_were():
    with scheduling(5, {"way": 2}):
        fixed = current_scheduler().anew()
    assert [fixed.choose("way", "abc") for _ in range(20)] == ["c"] * 20
    assert answers(fixed) == answers(Scheduler(5))


def test_every_choice_is_named_in_the_modules_docstring():
    documented = " ".join((scheduler.__doc__ or "").split())
    asked = re.compile(r'cheduler\.(?:choose|count|order)\(\s*"([^"]+)"')
    source = pathlib.Path(scheduler.__file__).parents[2]
    names = {name for path in source.rglob("*.py") for name in asked.findall(path.read_text())}
    assert len(names) > 15
    assert [name for name in sorted(names) if f'"{name}"' not in documented] == []
