"""Hand an answer from the process that judges to the process that waits, by the judge's own code alone.

Theory: the plugin's code runs in the judge's process and finds the judge's channel there. So having the channel must
not be enough to answer. Nothing in that process can vouch for an answer while callbacks run: it has no secret. When a
task has ended, its process writes that down in the flight recorder and announces its answer. The process that waits
looks into the recorder. Only then it makes a secret and sends it. The answer counts if the secret comes back with it.
Other bytes were not sent by the judge.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import select
from typing import TYPE_CHECKING, Any

from harness.protocol import messages
from harness.protocol.messages import Inbox

if TYPE_CHECKING:
    from harness.process.flight_recorder import FlightRecorder

#: The announcement of an answer.
ENDED = "ended"
_SECRET_BYTES = 16


class InterferenceError(Exception):
    """The plugin wrote an answer in place of the judge; the argument is the evidence."""


class Delivery:
    """The judge's end of a channel: made before any of the user's code runs, which can replace it.

    Attributes:
        channel: Its file descriptor.
        box: Where the end of a task is written down.
    """

    def __init__(self, channel: int, box: FlightRecorder) -> None:
        self.channel = channel
        self.box = box
        self._file = os.fstat(channel)

    def hand_in(self, reply: object) -> None:
        """Announce a reply, wait for the secret that is made for it, and send both.

        Raises:
            TypeError: The reply is none that JSON can hold; no byte was sent.
            OSError: The descriptor was closed, or leads elsewhere: who is there could change the reply on its way.
            ExchangeError: The reply is too long, or the other side has gone.
        """
        packed = messages.pack(reply)
        if not os.path.samestat(os.fstat(self.channel), self._file):
            raise OSError(errno.EBADF, "the judge's channel leads elsewhere")
        self.box.end()
        messages.send(self.channel, ENDED)
        messages.write(self.channel, messages.pack(messages.receive(self.channel)) + packed)


class Receipt:
    """One reply on its way, as the process that waits for it sees it.

    Attributes:
        reply: The reply, once it is here.
    """

    def __init__(self, channel: int, box: FlightRecorder) -> None:
        self.reply: Any = None
        self._channel = channel
        self._box = box
        self._inbox = Inbox()
        self._secret = ""
        self._is_proved = False

    @property
    def missing(self) -> int:
        """Return the number of bytes to read next; 0 once the reply is complete."""
        return 0 if self.reply is not None else self._inbox.missing

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; at most :attr:`missing` of them.

        Raises:
            ExchangeError: They hold no message.
            InterferenceError: They are none of the judge's.
        """
        self._inbox.feed(data)
        if self._inbox.complete:
            message, self._inbox = self._inbox.message(), Inbox()
            self._take(message)

    def _take(self, message: Any) -> None:
        if self._is_proved:
            self.reply = message
        elif self._secret:
            if message != self._secret:
                raise InterferenceError("it answered in place of the rule, without the secret of the answer")
            self._is_proved = True
        else:
            self._announced(message)

    def _announced(self, message: Any) -> None:
        if message != ENDED:
            raise InterferenceError("it wrote an answer that the rule did not give")
        if not self._box.has_ended:
            raise InterferenceError("it announced an answer before the rule had ended")
        self._secret = secrets.token_hex(_SECRET_BYTES)
        with contextlib.suppress(OSError):  # the wait will say how the process died
            messages.send(self._channel, self._secret)


def insist_on_silence(channel: int) -> None:
    """Make sure that nothing came from a process that was asked nothing.

    Raises:
        InterferenceError: Something did.
    """
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    if not poll.poll(0):
        return
    with contextlib.suppress(ConnectionResetError):  # its end
        if os.read(channel, 1):
            raise InterferenceError("an answer came without a question")
