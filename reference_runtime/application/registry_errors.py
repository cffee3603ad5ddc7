"""Whom the registry tells what it refuses: its error recorder, or else a logger of the process.

The registry belongs to no builder or runtime, so that it has no logger of its own. It uses the first one that the
process gave to TensorRT, for as long as that logger lives.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from reference_runtime.application.error_recorder import recorder_of
from reference_runtime.bound.bound_class import state
from reference_runtime.calling.gate.gate import current_gate
from reference_runtime.values.enums import ErrorCodeTRT
from reference_runtime.values.logger import ILogger, deliver

if TYPE_CHECKING:
    from reference_runtime.values.refusals import Refused

__all__ = ["complain", "log_through", "tell"]

_LOGGER = "_logger_of_the_process"


def log_through(registry: object, logger: ILogger) -> None:
    """Let a registry complain to a logger if it has none that is alive."""
    if _logger(registry) is None:
        state(registry)[_LOGGER] = weakref.ref(logger)


def complain(registry: object, where: str, refused: Refused) -> None:
    """Tell what a method of the registry refused."""
    code, kind = refused.reason.value
    tell(registry, ErrorCodeTRT(code), f"IPluginRegistry::{where}: Error Code {code}: {kind} ({refused})")


def tell(registry: object, code: ErrorCodeTRT, what: str) -> None:
    """Report an error in these words."""
    recorder, logger = recorder_of(current_gate(), registry), _logger(registry)
    if recorder is not None:
        recorder.report(code, what)
    elif logger is not None:
        deliver(logger, ILogger.ERROR, what)


def _logger(registry: object) -> ILogger | None:
    reference: weakref.ref[ILogger] | None = state(registry).get(_LOGGER)
    return None if reference is None else reference()
