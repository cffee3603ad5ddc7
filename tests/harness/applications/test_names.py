"""Names of objects, plain values, and lines of the application."""

import pathlib
import sys

import numpy as np

import reference_runtime as trt
from harness.applications.names import Names, site_of, site_of_method
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
