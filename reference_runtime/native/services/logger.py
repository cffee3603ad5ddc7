"""`ILogger` and `ILoggerFinder` for C++: what libraries log goes nowhere, so that it is no memory that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.native.abi.tables import Table, Words

if TYPE_CHECKING:
    from reference_runtime.native.abi.slots import Abi
    from reference_runtime.native.elf.loading import Pairs


class Loggers:
    """Hold the only logger of the process, and its finder."""

    def __init__(self, abi: Abi, pairs: Pairs) -> None:
        info = pairs.function("ILogger", 1, 0)
        self._tables = [Table(abi, "ILogger", {}, info=info)]
        self.logger = Words(self._tables[0].address)
        methods = {"findLogger": lambda _: self.logger.address}
        self._tables.append(Table(abi, "ILoggerFinder", methods, info=pairs.function("ILoggerFinder", 1, 0)))
        self.finder = Words(self._tables[1].address)
