"""Handle signals that ask a run to end, as Ctrl-C does: its children end, too; its reports name the signal."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from types import FrameType

#: A CI service sends SIGTERM when a job is cancelled. A terminal sends SIGHUP when it is closed.
ENDING = (signal.SIGTERM, signal.SIGHUP)
#: The handlers of a signal for which no other handler was set.
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)


class _Handlers:
    """Handlers that are set for a time, for signals without other handlers.

    A signal that is ignored stays ignored, as SIGHUP does under ``nohup``.
    """

    def __init__(self, *signals: signal.Signals) -> None:
        self._signals = signals
        self._before: dict[signal.Signals, Any] = {}

    def hold(self) -> None:
        """Set the handlers; in a thread other than the main thread, do nothing."""
        if threading.current_thread() is not threading.main_thread():
            return
        for each in self._signals:
            if signal.getsignal(each) in _DEFAULTS:
                self._before[each] = signal.signal(each, self._handle)

    def release(self) -> None:
        """Put the former handlers back."""
        while self._before:
            signal.signal(*self._before.popitem())

    def _handle(self, number: int, frame: FrameType | None) -> None:
        raise NotImplementedError


class AsInterrupts(_Handlers):
    """Handlers by which the first signal interrupts this process, as Ctrl-C does; later signals are ignored."""

    def __init__(self, *more: signal.Signals) -> None:
        """Handle the signals of :data:`ENDING`, and ``more``."""
        super().__init__(*ENDING, *more)
        self.came = ""
        """The first signal in words; empty until one comes."""
        self._ends = False

    def let_end(self) -> None:
        """Only note signals from now on: this process is about to end anyway."""
        self._ends = True

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if not self.came:
            self.came = f"{signal.Signals(number).name} came"
            if not self._ends:
                raise KeyboardInterrupt(self.came)


class PassedOn(_Handlers):
    """Handlers that pass signals on to the process that works for this process, so that it tidies up and ends.

    Before that process exists, a signal interrupts this process. Every signal is passed on as SIGTERM. At Ctrl-C the
    terminal sends SIGINT to both processes. The other process is then interrupted already, and ignores the SIGTERM. A
    second Ctrl-C kills it.
    """

    def __init__(self) -> None:
        super().__init__(*ENDING, signal.SIGINT)
        self._process: subprocess.Popen[bytes] | None = None
        self._interrupts = 0

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Handle the signals while a block runs."""
        self.hold()
        try:
            yield
        finally:
            self.release()

    def wait(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for the process that works for this process, and return its exit status."""
        self._process = process
        return process.wait()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self._process is None:
            raise KeyboardInterrupt(f"{signal.Signals(number).name} came")
        self._interrupts += number == signal.SIGINT
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL if self._interrupts > 1 else signal.SIGTERM)
