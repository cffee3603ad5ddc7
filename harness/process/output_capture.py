"""Read the output of a watched process through pipes, and keep a part of the text from each.

Theory: the output has five sections: standard output, standard error, the log, warnings, and dumps of stacks. Each has
a pipe, which the watcher empties all the time. So no output is lost when the writer dies, and no writer blocks when it
writes much. A bounded piece of the beginning and of the end is kept.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import select
import warnings
from typing import TYPE_CHECKING

from harness.contract.verdict import Captured
from harness.process import linux

if TYPE_CHECKING:
    from typing import TextIO

#: Bytes kept from the beginning of a section, and as many from its end.
KEPT_BYTES = 32 * 1024
#: The number of reads in a row, at most, so that an endless writer cannot hold the reader up.
_READS = 32
_CHUNK = 64 * 1024


@dataclasses.dataclass(frozen=True)
class Ends:
    """The file descriptors at which the watched process writes its sections."""

    stdout: int
    stderr: int
    log: int
    warnings: int
    stack: int

    def close(self) -> None:
        """Close them all."""
        for descriptor in dataclasses.astuple(self):
            os.close(descriptor)


class Tap:
    """The reading end of one section's pipe, and what is kept of the section."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        os.set_blocking(descriptor, False)
        self.forget()

    def forget(self) -> None:
        """Forget what was read so far."""
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def drain(self) -> bool:
        """Read what has arrived; return whether more can arrive."""
        for _ in range(_READS):
            try:
                data = os.read(self.descriptor, _CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._keep(data)
        return True

    def _keep(self, data: bytes) -> None:
        room = KEPT_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        surplus = len(self._tail) - KEPT_BYTES
        if surplus > 0:
            del self._tail[:surplus]
            self._left_out += surplus

    @property
    def text(self) -> str:
        """Return what was kept of the section, with a line between both parts that says how much was left out."""
        note = f"\n[{self._left_out} bytes left out]\n".encode() if self._left_out else b""
        return bytes(self._head + note + self._tail).decode(errors="replace")


class Taps:
    """The reading ends of all sections of one process."""

    def __init__(self, taps: dict[str, Tap]) -> None:
        self.taps = taps
        self._poll = select.poll()
        for tap in taps.values():
            self._poll.register(tap.descriptor, select.POLLIN)

    @classmethod
    def open(cls) -> tuple[Taps, Ends]:
        """Make the pipes; the caller hands the ends to the process and closes its own copies."""
        pipes = {field.name: os.pipe() for field in dataclasses.fields(Ends)}
        taps = cls({name: Tap(reading) for name, (reading, _) in pipes.items()})
        return taps, Ends(**{name: linux.private(writing) for name, (_, writing) in pipes.items()})

    def drain(self) -> None:
        """Read what has arrived in all sections."""
        ready = {descriptor for descriptor, _ in self._poll.poll(0)}
        for tap in self.taps.values():
            if tap.descriptor in ready:
                tap.drain()

    def forget(self) -> None:
        """Forget what was read so far in all sections."""
        for tap in self.taps.values():
            tap.forget()

    @property
    def stack(self) -> str:
        """Return the dumped stacks as text."""
        return self.taps["stack"].text

    @property
    def captured(self) -> Captured:
        """Return the sections that reports show: all but the stacks."""
        return Captured(**{name: tap.text for name, tap in self.taps.items() if name != "stack"})

    def close(self) -> None:
        """Close the reading ends."""
        for tap in self.taps.values():
            os.close(tap.descriptor)


class LogLines(logging.Handler):
    """Writes log records to a file descriptor, in pytest's format."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.setFormatter(logging.Formatter("%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            _write(self._descriptor, self.format(record) + "\n")
        except Exception:  # noqa: BLE001 - as in logging itself, a record that cannot be formatted does no harm
            self.handleError(record)


def divert_output(ends: Ends) -> None:
    """Make standard output and standard error of this process lead to their sections."""
    os.dup2(ends.stdout, 1)
    os.dup2(ends.stderr, 2)


def divert_warnings(ends: Ends) -> None:
    """Write warnings to their section instead of standard error."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,  # noqa: ARG001
        line: str | None = None,
    ) -> None:
        _write(ends.warnings, warnings.formatwarning(message, category, filename, lineno, line))

    warnings.showwarning = show


def divert_log(ends: Ends) -> None:
    """Write the records that reach the root logger to their section, too.

    Call this after the import of the user's module, which may call ``logging.basicConfig``. That function does nothing
    if the root logger already has a handler.
    """
    logging.getLogger().addHandler(LogLines(ends.log))


def _write(descriptor: int, text: str) -> None:
    data = text.encode(errors="backslashreplace")
    while data:
        data = data[os.write(descriptor, data) :]
