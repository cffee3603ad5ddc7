"""A search goes on from each guess whose refusal is new, and ends."""

from harness.child.discovery.learning import learned


def one_more(guess, _):
    yield from ({**guess, name: number} for name in ("a", "b") for number in range(4))


def refused(guess):
    return "" if guess == {"a": 3, "b": 2} else "b" if guess["a"] == 3 else "a"


def test_one_part_is_mended_after_the_other():
    assert learned({"a": 0, "b": 0}, refused, one_more, 20) == {"a": 3, "b": 2}


def test_what_is_taken_at_once_is_the_answer():
    assert learned({"a": 3, "b": 2}, refused, one_more, 0) == {"a": 3, "b": 2}


def test_no_more_guesses_are_tried_than_may_be():
    tried = []
    assert learned({"a": 0, "b": 0}, lambda guess: tried.append(guess) or refused(guess), one_more, 4) is None
    assert len(tried) == 5


def test_it_goes_back_where_a_new_refusal_leads_nowhere():
    leads = {0: [1, 2], 1: [4], 2: [3]}
    assert (
        learned(0, lambda guess: "" if guess == 3 else str(guess), lambda guess, _: iter(leads.get(guess, [])), 9) == 3
    )


def test_it_ends_where_nothing_is_left():
    assert learned(0, str, lambda *_: iter(()), 9) is None
