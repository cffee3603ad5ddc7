"""Hand an answer from the process that judges to the process that waits, so that a plugin cannot answer instead.

Theory: the plugin's code runs in the judge's process and finds the judge's channel there. So having the channel must
not be enough to answer. An answer needs a secret, and the judge's process has none while callbacks run. When a task has
ended, the judge records this in the flight recorder and announces its answer. The waiting process checks the recorder.
Only then does it make a secret and send it. The answer counts if the secret comes back with it. Any other bytes on the
channel are interference by the plugin.
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
    """The judge's end of a channel; make it before any user code runs, which could replace the channel.

    Attributes:
        channel: The file descriptor of the channel.
        box: The flight recorder, in which the end of a task is recorded.
    """

    def __init__(self, channel: int, box: FlightRecorder) -> None:
        self.channel = channel
        self.box = box
        self._file = os.fstat(channel)

    def hand_in(self, reply: object) -> None:
        """Announce a reply, wait for the secret that is made for it, and send both.

        Raises:
            TypeError: JSON cannot hold the reply; no byte was sent.
            OSError: The descriptor was closed, or now leads to another file, whose reader could change the reply.
            ExchangeError: The reply is too long, or the other side has closed the channel.
        """
        packed = messages.pack(reply)
        if not os.path.samestat(os.fstat(self.channel), self._file):
            raise OSError(errno.EBADF, "the judge's channel leads elsewhere")
        self.box.end()
        messages.send(self.channel, ENDED)
        messages.write(self.channel, messages.pack(messages.receive(self.channel)) + packed)


class Receipt:
    """The waiting process's end of one exchange: it reads an announcement, the secret and a reply.

    Attributes:
        reply: The reply; None until it has arrived.
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
            ExchangeError: The bytes are no message.
            InterferenceError: The message is not the judge's.
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
        with contextlib.suppress(OSError):  # the process died: `harness.process.wait` reports how
            messages.send(self._channel, self._secret)


def insist_on_silence(channel: int) -> None:
    """Make sure that a process without a task has sent no bytes.

    Raises:
        InterferenceError: It has sent some.
    """
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    if not poll.poll(0):
        return
    with contextlib.suppress(ConnectionResetError):  # the process ended
        if os.read(channel, 1):
            raise InterferenceError("an answer came without a question")
