"""How an answer is handed over: in three steps, and what arrives otherwise is not the judge's."""

import os
import socket
import threading

import pytest

from harness.process.flight_recorder import FlightRecorder
from harness.process.handover import ENDED, Delivery, InterferenceError, Receipt, insist_on_silence
from harness.protocol import messages


@pytest.fixture
def box():
    file = os.memfd_create("blackbox")
    made = FlightRecorder.on(file)
    made.take_over()
    yield made
    made.close()
    os.close(file)


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours.fileno(), theirs.fileno()


def received(channel, box):
    receipt = Receipt(channel, box)
    while receipt.missing:
        receipt.feed(os.read(channel, receipt.missing))
    return receipt.reply


def test_a_reply_that_is_handed_in_arrives(ends, box):
    ours, theirs = ends
    thread = threading.Thread(target=Delivery(theirs, box).hand_in, args=({"value": 1},))
    thread.start()
    assert received(ours, box) == {"value": 1}
    thread.join()


def test_a_reply_is_not_given_to_somebody_else_behind_the_channels_number(ends, box):
    _, theirs = ends
    delivery = Delivery(theirs, box)
    stranger, strangers = socket.socketpair()
    with stranger, strangers:
        os.dup2(strangers.fileno(), theirs)
        with pytest.raises(OSError, match="leads elsewhere"):
            delivery.hand_in({"value": 1})
        with pytest.raises(BlockingIOError):
            stranger.recv(1, socket.MSG_DONTWAIT)
    assert not box.has_ended


@pytest.mark.parametrize(
    ("sent", "ended", "how"),
    [
        ([{"value": 1}], True, "it wrote an answer that the rule did not give"),
        ([ENDED], False, "it announced an answer before the rule had ended"),
        ([ENDED, "guessed", {"value": 1}], True, "it answered in place of the rule"),
    ],
)
def test_other_messages_are_not_the_judges(ends, box, sent, ended, how):
    ours, theirs = ends
    if ended:
        box.end()
    for each in sent:
        messages.send(theirs, each)
    with pytest.raises(InterferenceError, match=how):
        received(ours, box)


def test_a_new_task_has_not_ended(box):
    box.end()
    assert box.has_ended
    box.take_over()
    assert not box.has_ended


def test_what_nobody_asked_for_is_noticed_and_an_end_is_none(ends):
    ours, theirs = ends
    insist_on_silence(ours)
    os.write(theirs, b"x")
    with pytest.raises(InterferenceError):
        insist_on_silence(ours)
    with socket.socket(fileno=os.dup(theirs)) as end:
        end.shutdown(socket.SHUT_WR)
    insist_on_silence(ours)
