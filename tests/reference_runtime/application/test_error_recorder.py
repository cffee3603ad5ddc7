"""As measured with the genuine bindings."""

import re

import pytest

import reference_runtime as trt
from reference_runtime.application import error_recorder
from reference_runtime.application.error_recorder import Recorder
from reference_runtime.calling.gate.gate import Gate
from tests.support.runtime.recording import shop

CODE = trt.ErrorCodeTRT.INVALID_STATE
METHODS = {
    "num_errors": ("get_num_errors", (), -1),
    "get_error_code": ("get_error_code", (0,), trt.ErrorCodeTRT.SUCCESS),
    "get_error_desc": ("get_error_desc", (0,), None),
    "has_overflowed": ("has_overflowed", (), False),
    "clear": ("clear", (), None),
    "report_error": ("report_error", (CODE, "text"), False),
}


class Recording(trt.IErrorRecorder):
    def __init__(self):
        super().__init__()
        self.errors = []

    def get_num_errors(self):
        return len(self.errors)

    def get_error_code(self, index):
        return self.errors[index][0]

    def get_error_desc(self, index):
        return self.errors[index][1]

    def has_overflowed(self):
        return len(self.errors) > 1

    def clear(self):
        self.errors.clear()

    def report_error(self, code, text):
        self.errors.append((code, text))
        return True


def called(method, recorder):
    return getattr(trt.IErrorRecorder, method)(recorder, *METHODS[method][1])


def giving(method, value):
    return type("Giving", (trt.IErrorRecorder,), {METHODS[method][0]: lambda *_: value})()


def test_every_method_reaches_its_override():
    mine = Recording()
    assert called("report_error", mine) is True
    assert called("num_errors", mine) == 1
    assert called("get_error_code", mine) == CODE
    assert called("get_error_desc", mine) == "text"
    assert called("has_overflowed", mine) is False
    called("clear", mine)
    assert mine.errors == []


@pytest.mark.parametrize("method", METHODS)
def test_without_an_override_there_is_the_measured_default(method, capfd):
    name, _, default = METHODS[method]
    assert called(method, trt.IErrorRecorder()) == default
    said = f'[ERROR] Exception caught in {name}(): Tried to call pure virtual function "IErrorRecorder::{name}"\n'
    assert capfd.readouterr().err == said


@pytest.mark.parametrize(
    ("method", "value", "result"),
    [
        ("num_errors", True, 1),
        ("num_errors", "s", -1),
        ("num_errors", 1.5, -1),
        ("get_error_code", 3, trt.ErrorCodeTRT.SUCCESS),
        ("get_error_desc", None, None),
        ("get_error_desc", b"b", "b"),
        ("get_error_desc", 3, None),
        ("has_overflowed", None, False),
        ("has_overflowed", 1.5, True),
        ("has_overflowed", "s", False),
        ("clear", object(), None),
        ("report_error", 3, True),
        ("report_error", [], False),
    ],
)
def test_results_are_converted_as_measured(method, value, result):
    assert called(method, giving(method, value)) == result


@pytest.mark.parametrize(
    ("value", "words"), [(3, "Unable to cast Python instance of type <class 'int'>"), (None, "\n")]
)
def test_a_code_that_is_none_has_its_words(value, words, capfd):
    called("get_error_code", giving("get_error_code", value))
    assert capfd.readouterr().err.startswith(f"[ERROR] Exception caught in get_error_code(): {words}")


def test_the_length_of_a_description_cannot_be_read_as_in_the_original():
    words = "(): incompatible function arguments. The following argument types are supported:\n    1. () -> int\n"
    with pytest.raises(TypeError, match=re.escape(words)):
        _ = trt.IErrorRecorder().MAX_DESC_LENGTH
    assert type(trt.IErrorRecorder.MAX_DESC_LENGTH) is property


def test_tensorrt_reports_to_a_recorder_and_cuts_no_description():
    mine = Recording()
    assert Recorder(Gate(), mine).report(CODE, "x" * 200) is True
    assert mine.errors == [(CODE, "x" * 200)]


def test_a_recorder_that_raises_loses_the_error(capfd):
    class Raising(trt.IErrorRecorder):
        def report_error(self, _code, _text):
            raise ValueError("boom")

    gate = Gate()
    assert Recorder(gate, Raising()).report(CODE, "text") is False
    assert "Exception caught in report_error(): ValueError: boom" in capfd.readouterr().err
    assert gate.failures[0].becomes == "the error is lost, and the execution goes on"


def test_references_are_counted_as_recorders_are_assigned():
    first, second = Recording(), Recording()
    with shop() as made:
        made.builder.error_recorder = first
        made.builder.error_recorder = first
        assert error_recorder.reference_count(first) == 1
        made.builder.error_recorder = second
        assert (error_recorder.reference_count(first), error_recorder.reference_count(second)) == (0, 1)
        assert made.builder.error_recorder is second
        made.builder.error_recorder = None
        assert (error_recorder.reference_count(second), made.builder.error_recorder) == (0, None)


def test_a_builders_recorder_hears_what_the_logger_does_not():
    mine = Recording()
    with shop() as made:
        made.builder.error_recorder = mine
        made.config.avg_timing_iterations = -1
        assert made.builder.build_serialized_network(made.builder.create_network(), made.config) is None
        assert made.log.errors == []
    (code, first), (_, second) = mine.errors
    assert code == trt.ErrorCodeTRT.INVALID_ARGUMENT
    assert first.startswith("IBuilderConfig::setAvgTimingIterations: Error Code 3: API Usage Error (")
    assert "Network must have at least one output" in second
