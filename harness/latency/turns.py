"""A child's part of a comparison: it makes a plugin ready, and then takes a sample whenever it is its turn.

Theory. Two children live at the same time, each with one version; only one of them is at work at any moment. Pytest's
process says whose turn it is, through a socket that both connect to: the child says that it is ready, gets how many
samples to take, sends them, and ends when it gets 0.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from harness import exchange
from harness.checks.bench import fresh_bench
from harness.checks.sampling import best_shapes
from harness.finding import NotRun
from harness.latency.blocks import without_garbage_collection
from harness.latency.host import host_sampler
from harness.latency.quantity import Quantity
from harness.latency.stand import standing, unobserved
from reference_runtime.backends.cuda_timing import HeldTooLongError

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.latency.stand import Stand
    from harness.subject import Subject

__all__ = ["AGAINST", "take_turns"]

#: What is asked for when two versions are compared.
AGAINST = "against"


def take_turns(subject: Subject, quantity: Quantity, side: str, address: str) -> None:
    """Take samples of a quantity whenever it is this side's turn."""
    shapes = best_shapes(subject.case)
    bench = fresh_bench(subject).configure(shapes)
    with standing(bench, shapes) as stand, unobserved(subject.gate), without_garbage_collection():
        for _ in range(3):
            stand.call_and_wait()
        sample = _sampler(stand, quantity)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
            channel.connect(address)
            exchange.send(channel.fileno(), side)
            while count := int(exchange.receive(channel.fileno())):
                exchange.send(channel.fileno(), [sample() for _ in range(count)])


def _sampler(stand: Stand, quantity: Quantity) -> Callable[[], float]:
    if quantity is Quantity.HOST_ENQUEUE:
        return host_sampler(stand)
    from harness.latency import device  # noqa: PLC0415 - there is a GPU

    try:
        device.warm_up(stand.stream.handle)
        return device.hot_sampler(stand)
    except HeldTooLongError as error:
        raise NotRun(str(error)) from error
