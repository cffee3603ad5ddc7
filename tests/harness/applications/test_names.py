"""Names of objects, plain values, and lines of the application."""

import pathlib
import sys
import types

import numpy as np

import reference_runtime as trt
from harness.applications.names import Names, is_discarded, site_of, site_of_method
from harness.applications.references import Ref


def test_an_object_keeps_its_name_and_another_gets_another():
    names = Names()
    one, other = trt.Builder(trt.Logger()), trt.Builder(trt.Logger())
    assert not names.knows(one)
    assert [str(names.of(each)) for each in (one, other, one)] == ["builder 1", "builder 2", "builder 1"]
    assert names.knows(one)


def test_names_keep_nothing_alive():
    names, logger = Names(), trt.Logger()
    before = sys.getrefcount(logger)
    names.of(logger)
    assert sys.getrefcount(logger) == before


def test_values_are_plain():
    names = Names()
    dims, kind = trt.Dims((2, -1)), trt.DataType.FLOAT
    assert names.plain([1, "a", None, (dims, kind)]) == (1, "a", None, ((2, -1), "DataType.FLOAT"))
    assert names.plain(trt.Logger()) == Ref("Logger", 1)
    assert names.plain(np.zeros(3)) == "<ndarray>"
    assert names.plain([[[[1]]]]) == (("<list>",),)


def test_the_site_is_the_innermost_line_of_no_library():
    outer = sorted([1], key=lambda _: site_of())
    assert outer == [1]
    site = site_of()
    assert site.file == __file__
    assert "site_of()" in pathlib.Path(site.file).read_text().splitlines()[site.line - 1]


def test_a_method_is_written_somewhere():
    class Mine:
        def method(self):
            """Be found."""

    assert site_of_method(Mine(), "method").file == __file__
    assert site_of_method(Mine(), "other").file == "unknown"


class Asked:
    """Has a call that knows what becomes of its result."""

    def __init__(self):
        self.answers = []

    def ask(self):
        return self.answers.append(is_discarded())


# As if it were a function of the harness: the innermost frame outside is its caller's.
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
