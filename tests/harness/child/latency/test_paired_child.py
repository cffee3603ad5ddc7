"""A child is ready before it says so, and takes as many samples as it is asked for."""

import contextlib
import socket
import threading

import pytest

from harness.cases.case import Case
from harness.child.latency.paired_child import take_turns
from harness.contract.finding import CallbackFailedError
from harness.protocol import messages
from harness.protocol.latency_quantity import Quantity
from tests.support.latency_subjects import subject_of
from tests.support.workbench import Creator, Doubler

CASE = Case("P", inputs=({"dims": (2, 3)},))


def test_samples_are_sent_in_turn(tmp_path):
    address, found = str(tmp_path / "turns"), []

    def lead():
        channel, _ = door.accept()
        with channel:
            found.append(messages.receive(channel.fileno()))
            for count in (2, -1, 1):
                messages.send(channel.fileno(), count)
                found.append(len(messages.receive(channel.fileno())))
            messages.send(channel.fileno(), 0)

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
        with channel, contextlib.suppress(messages.ExchangeError):
            messages.receive(channel.fileno())
            messages.send(channel.fileno(), 300)
            messages.receive(channel.fileno())

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
