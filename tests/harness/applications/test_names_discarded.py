"""Whether a result is thrown away."""

import types

from harness.applications.names import is_discarded


class Asked:
    """Has a call that knows what becomes of its result."""

    def __init__(self):
        self.answers = []

    def ask(self):
        return self.answers.append(is_discarded())


# As if it were a function of the harness: the innermost other frame is that of whoever calls it.
Asked.ask = types.FunctionType(Asked.ask.__code__, {"__name__": "harness.asked", "is_discarded": is_discarded})


def test_a_result_is_thrown_away_where_nothing_takes_it():
    asked = Asked()
    asked.ask()
    for _ in range(1):
        asked.ask()
    assert asked.answers == [True, True]


def test_a_result_is_not_where_something_does():
    asked = Asked()
    kept = [asked.ask(), asked.ask()]
    if asked.ask() or kept[0]:
        raise AssertionError
    assert asked.answers == [False, False, False]
