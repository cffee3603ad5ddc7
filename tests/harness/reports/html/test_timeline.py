"""The life of objects is drawn, and every call stands in a table."""

import re

from harness.reports.html.timeline import timeline
from tests.harness.controller.tracing.test_read import call, end, move
from tests.support.html_documents import trace


def dots(page):
    return [int(x) for x in re.findall(r'<circle cx="(\d+)"', page)]


def test_equal_calls_are_one_dot_with_a_number_and_all_stand_in_the_table():
    page = timeline(trace())
    assert len(dots(page)) == 4
    assert "supports_format_combination</tspan><tspan> \N{MULTIPLICATION SIGN}3" in page
    assert page.count("<tr>") == 7


def test_each_object_has_a_lane():
    page = timeline(trace())
    assert len(set(dots(page))) == 3
    assert page.count('class="lane') == 3


def test_a_lane_is_free_again_once_its_object_is_destroyed():
    lives = []
    for number in range(5):
        first, name = 10 * number + 1, f"P#{number + 2}"
        lives += [call(first), end(first, value=name, made=True)]
        lives += [move("created", "destroyed", "destroy", name), call(first + 1, name, "destroy"), end(first + 1)]
    assert len(set(dots(timeline(trace(*lives))))) == 2


def test_steps_stand_before_the_calls_that_they_lead_to():
    page = timeline(trace())
    assert page.index("builder 1.build()") < page.index("supports_format_combination")


def test_what_became_of_a_call_is_told():
    failure = {"is": "failure", "object": "P#1", "method": "clone", "what": "raised <b>", "becomes": "no layer"}
    page = timeline(
        trace(call(1), end(1, outcome="raised"), failure, call(2, method="enqueue"), note="it died", status="partial")
    )
    assert "raised &lt;b&gt;; no layer" in page
    assert "did not return" in page
    assert "The trace is not complete: it died." in page
    assert page.count("dot c0 failed") == 2


def test_without_calls_it_says_why():
    missing = {**trace(), "calls": [], "note": "no callback was called"}
    assert timeline(missing) == '<p class="alert">No trace: no callback was called.</p>'


def test_hundreds_of_calls_stay_in_order():
    many = [each for number in range(1, 400) for each in (call(number, f"P#{number % 7}", f"m{number}"), end(number))]
    methods = re.findall(r'class="method"> m(\d+)<', timeline(trace(*many)))
    assert [int(each) for each in methods] == list(range(1, 400))
