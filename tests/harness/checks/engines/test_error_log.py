"""What is kept of TensorRT's log."""

from harness.checks.engines.error_log import ErrorLog
from reference_runtime.values.logger import ILogger


def test_the_last_error_is_the_reason():
    errors = ErrorLog()
    assert errors.nothing_made("plan") == "TensorRT made no plan"
    errors.log(ILogger.ERROR, "first")
    errors.log(ILogger.INTERNAL_ERROR, "second")
    errors.log(ILogger.WARNING, "no error")
    assert errors.nothing_made("plan") == "TensorRT made no plan: second"
