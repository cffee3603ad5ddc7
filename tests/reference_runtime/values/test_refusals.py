import pytest

import reference_runtime as trt
from reference_runtime.application.error_recorder import Recorder
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.values.refusals import Logged, Reason, Refused, complain, granted, warn

TEXT = "IBuilder::f: Error Code 3: API Usage Error (no)"


class Log(trt.ILogger):
    def __init__(self):
        super().__init__()
        self.lines = []

    def log(self, severity, msg):
        self.lines.append((severity.name, msg))


class Kept(trt.IErrorRecorder):
    def report_error(self, code, text):
        self.error = (code, text)
        return False


def refuse():
    raise Refused("no")


def test_a_refusal_is_one_line_in_tensorrts_form():
    log = Log()
    complain("IBuilder::f", Refused("no"), to=Logged(log))
    complain("IBuilder::f", Refused("no", Reason.NO_IMPLEMENTATION), to=Logged(log))
    assert log.lines == [("ERROR", TEXT), ("ERROR", "IBuilder::f: Error Code 10: Internal Error (no)")]


def test_a_recorder_hears_it_in_place_of_the_logger():
    log, kept = Log(), Kept()
    complain("IBuilder::f", Refused("no"), to=Recorder(Gate(), kept))
    assert kept.error == (trt.ErrorCodeTRT.INVALID_ARGUMENT, TEXT)
    assert log.lines == []


def test_work_that_is_refused_gives_false():
    log, kept = Log(), Kept()
    assert granted("IBuilder::f", refuse, to=Logged(log)) is False
    assert granted("IBuilder::f", refuse, to=Recorder(Gate(), kept)) is False
    assert granted("IBuilder::f", lambda: None, to=Logged(log)) is True
    assert (log.lines, kept.error[1]) == ([("ERROR", TEXT)], TEXT)


def test_other_exceptions_are_not_refusals():
    with pytest.raises(ZeroDivisionError):
        granted("IBuilder::f", lambda: 1 / 0, to=Logged(Log()))


def test_a_warning_is_logged():
    log = Log()
    warn("IBuilder::f", "careful", to=log)
    assert log.lines == [("WARNING", "IBuilder::f: careful")]
