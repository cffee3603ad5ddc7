from __future__ import annotations

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.trampolines import quick
from reference_runtime.values.descriptions import Bounds, Description
from tests.support.runtime.fault_plugins import LOG, quick_class

DESC = Description((2, 3), trt.DataType.FLOAT, trt.TensorFormat.LINEAR)
IN_OUT = [Bounds(DESC, (1, 3), (2, 3), (4, 3))] * 2


@pytest.fixture
def gate():
    LOG.clear()
    return Gate(quiet=True)


def test_python_is_asked_twice_and_the_first_answer_is_taken(gate):
    cls, answers = quick_class(), [["one", "two", "three", "four"], ["five", "six"]]
    descs = {}

    def combinations(_self, in_out, num_inputs):
        assert (len(in_out), num_inputs) == (2, 1)
        return [descs.setdefault(name, in_out[0].desc) for name in answers.pop(0)]

    cls.get_supported_format_combinations = combinations
    build = cls()
    assert quick.count_format_combinations(gate, build, IN_OUT, 1) == 2
    found = quick.fetch_format_combinations(gate, build, IN_OUT, 1)
    assert found == [descs[name] for name in ("one", "two", "three", "four")]
    assert answers == []


def test_a_number_that_is_no_multiple_is_refused_with_both_numbers(gate):
    cls = quick_class()
    cls.get_supported_format_combinations = lambda _self, in_out, _num_inputs: [in_out[0].desc] * 3
    assert quick.count_format_combinations(gate, cls(), IN_OUT, 1) == -1
    assert gate.failures[0].what == "returned 3 descriptions, which is no multiple of 2 inputs and outputs"


def test_a_fetch_without_a_count_gives_nothing_and_is_no_fault_of_the_plugin(gate):
    assert quick.fetch_format_combinations(gate, quick_class()(), IN_OUT, 1) is None
    assert gate.failures == []


def test_an_exception_in_the_second_call_is_where_the_original_aborts(gate):
    cls = quick_class()
    build = cls()
    quick.count_format_combinations(gate, build, IN_OUT, 1)
    cls.get_supported_format_combinations = lambda *_: 1 / 0
    with pytest.raises(NativeCrash, match="raised ZeroDivisionError when it was called for the second time") as caught:
        quick.fetch_format_combinations(gate, build, IN_OUT, 1)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_copied_build_is_asked_through_its_source(gate):
    cls = quick_class()
    source = cls()
    copy = trt.IPluginV3QuickBuild(source)
    assert quick.count_format_combinations(gate, copy, IN_OUT, 1) == 1
