"""Messages between the processes, and the records in them."""

import math
import os
import struct

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Captured, Kind
from harness.protocol import messages
from harness.protocol.messages import ChildSettings, ExchangeError, Inbox, Reply, Request


@pytest.fixture
def file(tmp_path):
    descriptor = os.open(tmp_path / "stream", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


@pytest.mark.parametrize("value", [None, {}, {"π": ["\udc80", 1.5, True]}, math.inf, "x" * 2**20])
def test_a_message_arrives_as_it_was_sent(file, value):
    messages.send(file, value)
    messages.send(file, "the next one")
    os.lseek(file, 0, os.SEEK_SET)
    assert messages.receive(file) == value
    assert messages.receive(file) == "the next one"


def test_a_stream_that_ends_within_a_message_is_an_error(file):
    os.write(file, messages.pack("cut off")[:-1])
    os.lseek(file, 0, os.SEEK_SET)
    with pytest.raises(ExchangeError, match="closed the stream"):
        messages.receive(file)


def test_a_message_is_complete_with_its_last_byte():
    inbox = Inbox()
    for byte in messages.pack([1, 2]):
        assert not inbox.complete
        inbox.feed(bytes([byte]))
    assert inbox.complete
    assert inbox.message() == [1, 2]


def test_a_length_beyond_the_limit_is_refused_before_the_body():
    with pytest.raises(ExchangeError, match="the stream is damaged"):
        Inbox().feed(struct.pack("!I", messages.MAX_BYTES + 1))


def test_a_message_beyond_the_limit_is_not_sent(monkeypatch):
    monkeypatch.setattr(messages, "MAX_BYTES", 10)
    with pytest.raises(ExchangeError, match="longer than the limit of 10"):
        messages.pack("twelve bytes")


def test_a_message_is_shortened_where_its_texts_are_long(monkeypatch):
    monkeypatch.setattr(messages, "LONG_TEXT", 3)
    told = {"how": "abcde", "near": ["abc", {"deep": ("abcdef", 7)}]}
    assert messages.shortened(told) == {
        "how": "abc... (5 characters)",
        "near": ["abc", {"deep": ["abc... (6 characters)", 7]}],
    }


def test_bytes_that_are_no_json_are_an_error():
    inbox = Inbox()
    inbox.feed(struct.pack("!I", 3) + b"{'}")
    with pytest.raises(ExchangeError, match="no JSON"):
        inbox.message()


@pytest.mark.parametrize(
    "record",
    [
        ChildSettings(module="m", path=("/a", "/b"), cases=("c.py",), timeout=0.5),
        Request(
            rule="FMT-001", plugin="/Bar/1", case="c", shunned={"enqueue": "ENQ-001"}, examples=[[1]], deadline=0.5
        ),
        Reply(value={"a": 1}, captured=Captured(stdout="out", log="logged")),
        Reply(failed=Answer(Kind.MET, mishap=CallbackFailure("clone", "died by SIGSEGV", calls=("a", "b")))),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_record_comes_back_from_its_message(file, record):
    messages.send(file, record.to_plain())
    os.lseek(file, 0, os.SEEK_SET)
    assert type(record).from_plain(messages.receive(file)) == record
