"""Time a candidate and a baseline in turns, each in its child: candidate, twice the baseline, candidate again."""

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
#: Seconds between two checks whether a child ended that should connect.
_LOOK_SECONDS: Final = 0.2
#: Seconds that a child gets to end after its last turn.
_END_SECONDS: Final = 60.0
#: Seconds after which an occasion begins no further round, and the rounds that it takes in any case.
_LONG_SECONDS: Final = 20.0
_LEAST_ROUNDS: Final = 3


class PairedRun:
    """The candidate and the baseline, both ready to be timed.

    Attributes:
        clock: Returns the time in seconds; it limits an occasion.
        turn: The side whose turn it is or was last, ``candidate`` or ``baseline``; empty before the first turn.
    """

    def __init__(self, channels: Mapping[str, socket.socket]) -> None:
        self._channels = channels
        self.clock: Callable[[], float] = time.monotonic
        self.turn = ""

    def occasion(self, rounds: int) -> list[list[float]]:
        """Return the rounds of one occasion, each of four times in seconds: candidate, baseline, baseline, candidate.

        Both sides take new memory first. A slow plugin gets fewer than ``rounds``, so that no child exceeds its
        deadline only because of their number.
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
    """A thread that waits for one child's answer, which comes when the duel is over."""

    def __init__(self, child: Asking, request: Request) -> None:
        super().__init__(daemon=True)
        self._child = child
        self._request = request
        self.answer: Answer | None = None

    def run(self) -> None:
        self.answer = self._child.ask(self._request)


@contextlib.contextmanager
def duel(sides: Mapping[str, tuple[Asking, Request]], quantity: Quantity) -> Iterator[PairedRun]:
    """Yield a candidate and a baseline that are ready to take turns.

    Args:
        sides: By the side's name, the object that asks its child, and the request for the case.
        quantity: What each turn measures.

    Raises:
        LatencyUnknownError: This machine cannot measure one side.
        LatencyFailedError: One side failed.
    """
    with temporary_folder() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        address = str(pathlib.Path(folder) / "turns")
        door.bind(address)
        door.listen(2)
        door.settimeout(_LOOK_SECONDS)
        waiting = {}
        for name, (child, request) in sides.items():
            waiting[name] = _Side(child, request.asking(RequestKind.PAIRED_LATENCY, quantity.value, name, address))
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
            door.close()  # a child can no longer connect
            for channel in channels.values():
                with contextlib.suppress(OSError):  # the child may have ended
                    messages.send(channel.fileno(), 0)
                channel.close()
            for side in waiting.values():
                side.join(_END_SECONDS)
        if gone is not None:  # the side whose turn it was comes first: the other side only waited for it
            _insist(dict(sorted(waiting.items(), key=lambda side: side[0] != both.turn)))
            raise LatencyFailedError(f"a child went away: {gone}") from gone


def _greet(door: socket.socket, channels: dict[str, Any], waiting: Mapping[str, _Side]) -> None:
    """Wait a moment for a child to connect; if none does, raise an error if a child has ended."""
    try:
        channel, _ = door.accept()
    except TimeoutError:
        _insist({name: side for name, side in waiting.items() if name not in channels})
        return
    channels[messages.receive(channel.fileno())] = channel


def _insist(waiting: Mapping[str, _Side]) -> None:
    """Raise an error if a child has ended too early; the message says why."""
    for name, side in waiting.items():
        answer = side.answer
        if answer is None and not side.is_alive():  # the thread raised, and Python has printed its traceback
            raise LatencyFailedError(f"the {name}: its child could not be asked")
        if answer is not None:
            insist_on(answer, f"the {name}: ")
