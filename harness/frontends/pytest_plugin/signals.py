"""Signals that ask a run to end: it ends as at Ctrl-C, with its children, and with reports that say so."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import NoReturn

#: What a CI service sends to a job that is cancelled, and a terminal that is closed to what runs in it.
ENDING = (signal.SIGTERM, signal.SIGHUP)


class AsInterrupts:
    """While it holds, the signals of :data:`ENDING` interrupt this process; those that somebody handles are left alone.

    ``nohup`` ignores SIGHUP, which stays ignored.
    """

    def __init__(self) -> None:
        self._held: list[signal.Signals] = []

    def hold(self) -> None:
        """Begin; where this is not the main thread, nothing can be done."""
        if threading.current_thread() is not threading.main_thread():
            return
        for each in ENDING:
            if signal.getsignal(each) is signal.SIG_DFL:
                signal.signal(each, _interrupt)
                self._held.append(each)

    def release(self) -> None:
        """End."""
        while self._held:
            signal.signal(self._held.pop(), signal.SIG_DFL)


def _interrupt(number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt(f"{signal.Signals(number).name} came")
