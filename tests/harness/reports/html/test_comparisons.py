"""Comparisons with another version are drawn where a change was measured, and all are in the table."""

import re

from harness.reports.html.axis import LEFT, RIGHT, WIDTH
from harness.reports.html.comparisons import comparisons


def compared(**more):
    return {"id": "conformance::/Bar/1::rows::host_gate", "case": "rows", "with": "old", "said": "SLOWER", **more}


def place(kind, name, page):
    return float(re.search(rf'<{kind} [^>]*{name}="([\d.]+)"', page)[1])


def test_nothing_compared_is_nothing():
    assert comparisons([]) is None


def test_a_comparison_without_a_number_is_in_the_table_alone():
    page = comparisons([compared(said="each call asks for no more")])
    assert "Compared with old" in page
    assert '<th scope="row">/Bar/1::rows::host_gate</th><td>each call asks for no more</td>' in page
    assert "<svg" not in page


def test_a_change_is_drawn_beside_the_margin():
    page = comparisons([compared(change=[0.05, 0.10, 0.20], margin=0.03)])
    zero = LEFT + 3 / 23 * (WIDTH - LEFT - RIGHT)
    assert place("rect", "x", page) == LEFT
    assert place("rect", "width", page) == round(2 * (zero - LEFT), 1)
    assert zero < place("circle", "cx", page) < WIDTH - RIGHT
    assert "+10.0 %" in page
    assert "<title>/Bar/1::rows::host_gate: SLOWER</title>" in page


def test_all_bounds_are_on_the_axis():
    page = comparisons([compared(change=[-0.01, 0.0, 0.01], margin=0.03), compared(change=[2, 3, 4], margin=0.03)])
    ends = [float(each) for each in re.findall(r'x2="([\d.]+)" y1="\S+" y2="\S+" class="whisker"', page)]
    assert ends[1] == WIDTH - RIGHT
    assert ends[0] < ends[1] - 100
