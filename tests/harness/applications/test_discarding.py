"""Whether a result is thrown away."""

from harness.applications.discarding import is_discarded


class Asked:
    """A call that knows what becomes of its result; its frame is taken for one of ours."""

    def __init__(self):
        self.answers = []
        self.ask = eval(  # noqa: S307 - our own words, in a frame that is named as we choose
            "lambda self=self: self.note(asked())", {"__name__": "harness", "asked": is_discarded, "self": self}
        )

    def note(self, answer):
        self.answers.append(answer)
        return False


def test_a_result_is_thrown_away_where_nothing_takes_it():
    asked = Asked()
    asked.ask()
    for _ in range(1):
        asked.ask()
    assert asked.answers == [True, True]


def test_a_result_is_not_where_something_does():
    asked = Asked()
    kept = asked.ask()
    if kept or asked.ask():
        raise AssertionError
    assert not [asked.ask() for _ in range(1)][0]  # noqa: RUF015 - a list takes it
    assert asked.answers == [False, False, False]
