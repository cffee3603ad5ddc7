"""The most different examples come first."""

from harness.controller.fuzz.selection import spread


def test_what_repeats_comes_last():
    assert spread([[1], [17], [1], [2], [33]]) == [[1], [2], [17], [33], [1]]


def test_every_place_counts_for_itself():
    assert spread([{"a": [1, 2]}, {"a": [1, 2], "b": 1}, {"a": [2, 1]}]) == [
        {"a": [1, 2]},
        {"a": [1, 2], "b": 1},
        {"a": [2, 1]},
    ]


def test_nothing_is_lost():
    examples = [[n % 7, n % 5] for n in range(50)]
    assert sorted(spread(examples)) == sorted(examples)
    assert spread([]) == []
