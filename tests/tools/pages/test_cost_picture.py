"""The picture of what a certificate costs: a piece for each part, one after the other."""

import itertools
import re

from tools.pages import cost_picture

TIMES = {
    "pytest, no tests": [0.3, 0.25],
    "bar, collected": [1.0],
    "bar, level 1": [0.9],
    "bar, level 5": [4.0],
    cost_picture.YARDSTICK: [2.0],
}


def pieces(text):
    found = re.findall(r'<rect x="(\d+)" y="40" width="(\d+)"[^>]*><title>([^<]*)', text)
    return [(int(x), int(width), told) for x, width, told in found]


def test_a_run_adds_what_it_takes_more_than_the_one_before_and_noise_adds_nothing():
    told = [each for *_, each in pieces(cost_picture.picture(TIMES))]
    assert [float(each.rpartition(": ")[2].removesuffix(" s")) for each in told] == [0.25, 0.75, 0.0, 3.0]


def test_the_pieces_make_one_bar_without_a_gap():
    found = pieces(cost_picture.picture(TIMES))
    assert all(abs(x + width - following) <= 1 for (x, width, _), (following, *_) in itertools.pairwise(found))
    assert sum(width for _, width, _ in found) == cost_picture.BARS


def test_what_it_is_compared_with_stands_below():
    assert f'width="{cost_picture.BARS // 2}"' in cost_picture.picture(TIMES)
