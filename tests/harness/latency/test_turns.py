"""A child is ready before it says so, and takes as many samples as it is asked for."""

import contextlib
import socket
import threading

import pytest

from harness import exchange
from harness.case import Case
from harness.finding import CallbackFailedError
from harness.latency.quantity import Quantity
from harness.latency.turns import take_turns
from tests.harness.checks.workbench import Creator, Doubler
from tests.harness.latency.subjects import subject_of

CASE = Case("P", inputs=({"dims": (2, 3)},))


def test_samples_are_sent_in_turn(tmp_path):
    address, found = str(tmp_path / "turns"), []

    def lead():
        channel, _ = door.accept()
        with channel:
            found.append(exchange.receive(channel.fileno()))
            for count in (2, -1, 1):
                exchange.send(channel.fileno(), count)
                found.append(len(exchange.receive(channel.fileno())))
            exchange.send(channel.fileno(), 0)

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.bind(address)
        door.listen(1)
        leader = threading.Thread(target=lead)
        leader.start()
        with subject_of(Creator(lambda _: Doubler()), CASE) as subject:
            take_turns(subject, Quantity.HOST_ENQUEUE, "candidate", address)
        leader.join()
    assert found == ["candidate", 2, 0, 1]


class Tired(Doubler):
    """Fails after so many calls."""

    calls = 0

    def enqueue(self, *arguments):
        self.calls += 1
        if self.calls > 200:
            raise ValueError("tired")
        super().enqueue(*arguments)


def test_a_call_that_fails_is_no_sample(tmp_path):
    address = str(tmp_path / "turns")

    def lead():
        channel, _ = door.accept()
        with channel, contextlib.suppress(exchange.ExchangeError):
            exchange.receive(channel.fileno())
            exchange.send(channel.fileno(), 300)
            exchange.receive(channel.fileno())

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.bind(address)
        door.listen(1)
        leader = threading.Thread(target=lead)
        leader.start()
        with (
            subject_of(Creator(lambda _: Tired()), CASE) as subject,
            pytest.raises(CallbackFailedError, match="enqueue raised ValueError: tired"),
        ):
            take_turns(subject, Quantity.HOST_ENQUEUE, "candidate", address)
        leader.join()
