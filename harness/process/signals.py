"""Signals that ask a run to end: it ends as at Ctrl-C, with its children, and its reports say so."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from types import FrameType

#: What a CI service sends to a job that is cancelled, and a terminal that is closed to what runs in it.
ENDING = (signal.SIGTERM, signal.SIGHUP)
#: What nobody handles is handled so.
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)


class _Handlers:
    """Handles signals within, if they have no other handler; ``nohup`` ignores SIGHUP, which stays ignored."""

    def __init__(self, *signals: signal.Signals) -> None:
        self._signals = signals
        self._before: dict[signal.Signals, Any] = {}

    def hold(self) -> None:
        """Begin; only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            return
        for each in self._signals:
            if signal.getsignal(each) in _DEFAULTS:
                self._before[each] = signal.signal(each, self._handle)

    def release(self) -> None:
        """End."""
        while self._before:
            signal.signal(*self._before.popitem())

    def _handle(self, number: int, frame: FrameType | None) -> None:
        raise NotImplementedError


class AsInterrupts(_Handlers):
    """While it holds, the first signal of :data:`ENDING` interrupts this process; no further one disturbs its end."""

    def __init__(self, *more: signal.Signals) -> None:
        """Hold back signals of :data:`ENDING`, and ``more``."""
        super().__init__(*ENDING, *more)
        self.came = ""
        """The first signal in words; empty until one comes."""
        self._ends = False

    def let_end(self) -> None:
        """Interrupt nothing from now on, only note what comes: this process is about to end anyway."""
        self._ends = True

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if not self.came:
            self.came = f"{signal.Signals(number).name} came"
            if not self._ends:
                raise KeyboardInterrupt(self.came)


class PassedOn(_Handlers):
    """While it is held, what asks this process to end asks the process that works for it, which tidies up.

    Before that process exists, a signal interrupts this process. SIGTERM is what is passed on. At Ctrl-C the terminal
    gives SIGINT to both; the other process, which is interrupted by then, ignores SIGTERM. A second Ctrl-C kills it.
    """

    def __init__(self) -> None:
        super().__init__(*ENDING, signal.SIGINT)
        self._process: subprocess.Popen[bytes] | None = None
        self._interrupts = 0

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold while a block runs."""
        self.hold()
        try:
            yield
        finally:
            self.release()

    def wait(self, process: subprocess.Popen[bytes]) -> int:
        """Return the exit status of the process that works for this process."""
        self._process = process
        return process.wait()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self._process is None:
            raise KeyboardInterrupt(f"{signal.Signals(number).name} came")
        self._interrupts += number == signal.SIGINT
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL if self._interrupts > 1 else signal.SIGTERM)
