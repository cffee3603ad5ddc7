"""Send a registry's errors to its error recorder, or else to a logger.

The registry of the process belongs to no builder or runtime. So it uses the first logger that the application passed to
TensorRT, and when that logger is deleted, the next.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from msgspec import Struct

from reference_runtime.application.error_recorder import recorder_of
from reference_runtime.bound.bound_class import state
from reference_runtime.calling.gate.gate import current_gate
from reference_runtime.values.refusals import Logged

if TYPE_CHECKING:
    from reference_runtime.values.enums import ErrorCodeTRT
    from reference_runtime.values.logger import ILogger

_LOGGER = "_logger_of_the_process"


class RegistryErrors(Struct, frozen=True):
    """The destination of the errors of one registry."""

    registry: object

    def log_through(self, logger: ILogger) -> None:
        """Use this logger if the registry has no logger, or if its logger was deleted."""
        if self._logger is None:
            state(self.registry)[_LOGGER] = weakref.ref(logger)

    def report(self, code: ErrorCodeTRT, text: str) -> None:
        """Report an error, if there is a recorder or a logger."""
        logger = self._logger
        to = recorder_of(current_gate(), self.registry) or (None if logger is None else Logged(logger))
        if to is not None:
            to.report(code, text)

    @property
    def _logger(self) -> ILogger | None:
        reference: weakref.ref[ILogger] | None = state(self.registry).get(_LOGGER)
        return None if reference is None else reference()
