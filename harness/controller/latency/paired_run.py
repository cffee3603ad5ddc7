"""Two children that take turns, candidate and baseline: first A, then twice B, then A again."""

from __future__ import annotations

import contextlib
import pathlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from harness.controller.latency.measure import LatencyFailedError, insist_on
from harness.process.temporary import temporary_folder
from harness.protocol import messages
from harness.protocol.requests import NEW_MEMORY, RequestKind

if TYPE_CHECKING:
    from harness.contract.verdict import Answer
    from harness.protocol.asked import Asking
    from harness.protocol.latency_quantity import Quantity
    from harness.protocol.messages import Request

CANDIDATE: Final = "candidate"
BASELINE: Final = "baseline"
#: Seconds between two looks whether a child that is waited for has ended.
_LOOK_SECONDS: Final = 0.2
#: Seconds in which a child ends that is told to.
_END_SECONDS: Final = 60.0
#: Seconds after which an occasion takes no further rounds, and the rounds that it takes all the same.
_LONG_SECONDS: Final = 20.0
_LEAST_ROUNDS: Final = 3


class PairedRun:
    """The two, both ready.

    Attributes:
        clock: The clock that shows an occasion how long it lasts, in seconds.
        turn: Whose turn it is or was; empty before the first.
    """

    def __init__(self, channels: Mapping[str, socket.socket]) -> None:
        self._channels = channels
        self.clock: Callable[[], float] = time.monotonic
        self.turn = ""

    def occasion(self, rounds: int) -> list[list[float]]:
        """Return the seconds of so many rounds with new memory: candidate, baseline, baseline, candidate.

        Of a plugin that takes long there are fewer, so that no child meets its deadline because of their number.
        """
        for side in self._channels:
            self._turn(side, NEW_MEMORY)
        order = (CANDIDATE, BASELINE, BASELINE, CANDIDATE)
        taken: list[list[float]] = []
        until = self.clock() + _LONG_SECONDS
        while len(taken) < rounds and (len(taken) < _LEAST_ROUNDS or self.clock() < until):
            taken.append([sample for side in order for sample in self._turn(side, 1)])
        return taken

    def _turn(self, side: str, count: int) -> list[float]:
        self.turn = side
        channel = self._channels[side].fileno()
        messages.send(channel, count)
        samples: list[float] = messages.receive(channel)
        return samples


class _Side(threading.Thread):
    """Waits for one child's answer, which comes when the duel is over."""

    def __init__(self, asked: Asking, request: Request) -> None:
        super().__init__(daemon=True)
        self._asked = asked
        self._request = request
        self.answer: Answer | None = None

    def run(self) -> None:
        self.answer = self._asked.ask(self._request)


@contextlib.contextmanager
def duel(sides: Mapping[str, tuple[Asking, Request]], quantity: Quantity) -> Iterator[PairedRun]:
    """Give the two that ``sides`` asks, each with the object that asks its child and the case's request.

    Raises:
        LatencyUnknownError: One of them cannot be measured here.
        LatencyFailedError: One of them failed.
    """
    with temporary_folder() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        address = str(pathlib.Path(folder) / "turns")
        door.bind(address)
        door.listen(2)
        door.settimeout(_LOOK_SECONDS)
        waiting = {}
        for name, (asked, request) in sides.items():
            told = (quantity.value, name, address)
            waiting[name] = _Side(asked, request.asking(RequestKind.PAIRED_LATENCY, *told))
            waiting[name].start()
        channels: dict[str, socket.socket] = {}
        both = PairedRun(channels)
        gone: Exception | None = None
        try:
            while len(channels) < len(waiting):
                _greet(door, channels, waiting)
            yield both
        except (messages.ExchangeError, OSError) as error:
            gone = error
        finally:
            door.close()  # a child that still waits there is not let in
            for channel in channels.values():
                with contextlib.suppress(OSError):  # it may be gone
                    messages.send(channel.fileno(), 0)
                channel.close()
            for side in waiting.values():
                side.join(_END_SECONDS)
        if gone is not None:  # who waits for the other meets the same deadline, and is not to blame
            _insist(dict(sorted(waiting.items(), key=lambda side: side[0] != both.turn)))
            raise LatencyFailedError(f"a child went away: {gone}") from gone


def _greet(door: socket.socket, channels: dict[str, Any], waiting: Mapping[str, _Side]) -> None:
    """Let a child in that knocks."""
    try:
        channel, _ = door.accept()
    except TimeoutError:
        _insist({name: side for name, side in waiting.items() if name not in channels})
        return
    channels[messages.receive(channel.fileno())] = channel


def _insist(waiting: Mapping[str, _Side]) -> None:
    """Say why a child has ended that should be here."""
    for name, side in waiting.items():
        answer = side.answer
        if answer is None and not side.is_alive():  # asking failed, and the thread that asked told how
            raise LatencyFailedError(f"the {name}: its child could not be asked")
        if answer is not None:
            insist_on(answer, f"the {name}: ")
