import re

import pytest

import reference_runtime as trt
from reference_runtime.values.logger import deliver


class Raising(trt.ILogger):
    def __init__(self, error):
        super().__init__()
        self.error = error

    def log(self, _severity, _msg):
        raise self.error


def test_a_message_reaches_the_users_logger():
    class Mine(trt.ILogger):
        def __init__(self):
            super().__init__()
            self.seen = []

        def log(self, severity, msg):
            self.seen.append((severity, msg))

    logger = Mine()
    deliver(logger, trt.ILogger.WARNING, "text")
    assert logger.seen == [(trt.ILogger.WARNING, "text")]


@pytest.mark.parametrize("error", [ValueError("boom"), SystemExit(1)])
def test_what_a_logger_raises_is_swallowed_with_a_complaint(error, capfd):
    deliver(Raising(error), trt.ILogger.ERROR, "text")
    assert capfd.readouterr().err.startswith(f"[ERROR] Exception caught in log(): {type(error).__name__}: {error}")


@pytest.mark.parametrize(("severity", "printed"), [("ERROR", True), ("WARNING", True), ("INFO", False)])
def test_a_logger_prints_what_is_grave_enough(severity, printed, capfd):
    deliver(trt.Logger(), getattr(trt.Logger, severity), "text")
    pattern = rf"\[\d\d/\d\d/\d{{4}}-\d\d:\d\d:\d\d\] \[TRT\] \[{severity[0]}\] text\n" if printed else ""
    assert re.fullmatch(pattern, capfd.readouterr().out)


def test_tensorrt_does_not_call_an_override_of_the_printing_logger(capfd):
    class Mine(trt.Logger):
        def log(self, _severity, _msg):
            raise AssertionError

    deliver(Mine(), trt.Logger.ERROR, "text")
    assert "text" in capfd.readouterr().out


def test_severities_are_attributes_of_both_loggers():
    names = ["INTERNAL_ERROR", "ERROR", "WARNING", "INFO", "VERBOSE"]
    assert [int(getattr(trt.ILogger, name)) for name in names] == [0, 1, 2, 3, 4]
    assert [getattr(trt.Logger, name) for name in names] == list(trt.ILogger.Severity.__members__.values())
