"""Take samples of a plugin in a child whenever pytest's process asks, to compare two versions of a plugin.

Theory. Two children live at the same time, each with one version, and only one of them works at any moment. Pytest's
process decides which, through a socket that both connect to. The child sends the name of its version when it is ready,
and then receives one number at a time. Above 0, it takes that many samples and sends them. At `NEW_MEMORY`, it puts the
plugin on new memory, at another address, and sends no samples. At 0 it ends.
"""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import best_shapes
from harness.child.latency.blocks import without_garbage_collection
from harness.child.latency.host import host_sampler
from harness.child.latency.ready_plugin import standing, unobserved
from harness.contract.finding import NotRun
from harness.protocol import messages
from harness.protocol.latency_quantity import Quantity
from harness.protocol.requests import NEW_MEMORY
from harness.subject.calling import strictly
from reference_runtime.devices.cuda_timing import HeldTooLongError

if TYPE_CHECKING:
    from harness.child.latency.ready_plugin import Stand
    from harness.subject.subject import Subject

#: Bytes that are left free between one memory of the plugin and the next, at most.
_MOST_BYTES_BETWEEN = 1 << 20


def take_turns(subject: Subject, quantity: Quantity, side: str, address: str) -> None:
    """Take samples of a quantity, and send them to a socket's address, until the other side sends 0.

    ``side`` is the name of this version.
    """
    with contextlib.ExitStack() as around, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        around.enter_context(unobserved(subject.gate))
        around.enter_context(without_garbage_collection())
        places = _Places(subject, around, random.Random(side))  # noqa: S311 - no secret
        sampler = _sampler(places.another(), quantity)
        sample = sampler(places.another())
        channel.connect(address)
        messages.send(channel.fileno(), side)
        while count := int(messages.receive(channel.fileno())):
            if count == NEW_MEMORY:
                sample = sampler(places.another())
            with strictly(subject.gate):  # a call that fails may be quick, and is no latency
                samples = [sample() for _ in range(count)]
            messages.send(channel.fileno(), samples)


class _Places:
    """Gives a plugin new memory on each request; all former memory stays allocated, so that it is not used again."""

    def __init__(self, subject: Subject, around: contextlib.ExitStack, chance: random.Random) -> None:
        self._device = subject.device
        self._shapes = best_shapes(subject.case)
        self._driver = fresh_driver(subject).configure(self._shapes)
        self._around = around
        self._chance = chance

    def another(self) -> Stand:
        """Return the plugin on new memory, after a few calls."""
        self._device.allocate(self._chance.randrange(_MOST_BYTES_BETWEEN), label="between")
        stand = self._around.enter_context(standing(self._driver, self._shapes))
        for _ in range(3):
            stand.call_and_wait()
        return stand


def _sampler(stand: Stand, quantity: Quantity) -> Callable[[Stand], Callable[[], float]]:
    """Return a function from a `Stand` to its sampler; time ``stand`` to choose the calls in a sample."""
    if quantity is Quantity.HOST_ENQUEUE:
        return host_sampler(stand)
    from harness.child.latency import device  # noqa: PLC0415 - there is a GPU

    try:
        device.warm_up(stand.stream.handle)
        return device.hot_sampler(stand)
    except HeldTooLongError as error:
        raise NotRun(str(error)) from error
