"""As measured with the genuine bindings; the second kind of reader, which needs a CUDA driver there, as documented."""

import ctypes

import pytest

import reference_runtime as trt
from reference_runtime.application import byte_streams
from reference_runtime.bound.capsules import capsule
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Gate
from tests.support.runtime.recording import shop

MISSING = "Method: {} was not overriden. Please provide an implementation for this method.\n"
NO_BUFFER = "[ERROR] Exception caught in read(): Object of type '{}' is not an instance of 'buffer'\n"


def giving(base, method, *values):
    """Return an object whose override gives one value after the other."""
    answers = list(values)
    return type("Giving", (base,), {method: lambda *_: answers.pop(0)})()


@pytest.fixture
def memory():
    return ctypes.create_string_buffer(b"\xff" * 8, 8)


def test_a_reader_is_asked_for_bytes():
    class Reader(trt.IStreamReader):
        def read(self, size):
            self.size = size
            return bytearray(b"abcd")

    mine = Reader()
    assert byte_streams.read(Gate(), mine, 4) == b"abcd"
    assert mine.size == 4


@pytest.mark.parametrize(
    ("value", "result", "after"),
    [(b"abc", 3, b"abc\xff\xff\xff\xff\xff"), (b"abcdefgh", 8, b"abcd\xff\xff\xff\xff"), (None, 0, b"\xff" * 8)],
)
def test_the_bound_read_copies_no_more_than_was_asked_for(value, result, after, memory):
    reader = giving(trt.IStreamReader, "read", value)
    assert trt.IStreamReader.read(reader, capsule(ctypes.addressof(memory)), 4) == result
    assert memory.raw == after


@pytest.mark.parametrize("value", [None, "s", 5])
def test_what_is_no_buffer_reads_as_nothing(value, capfd):
    gate = Gate()
    assert byte_streams.read(gate, giving(trt.IStreamReader, "read", value), 4) == b""
    assert capfd.readouterr().err == NO_BUFFER.format(type(value).__name__)
    assert gate.failures[0].becomes == "TensorRT reads nothing"


def test_more_than_was_asked_for_is_cut():
    assert byte_streams.read(Gate(), giving(trt.IStreamReader, "read", b"abcdef"), 4) == b"abcd"


def test_a_reader_without_override_reads_nothing(capfd):
    assert byte_streams.read(Gate(), trt.IStreamReader(), 4) == b""
    assert trt.IStreamReader().read(None, 4) == 0
    assert capfd.readouterr().err == MISSING.format("read") * 2


def test_reading_to_a_null_pointer_is_a_crash_of_the_original():
    with pytest.raises(NativeCrash, match="3 bytes to be copied to a null pointer"):
        trt.IStreamReader.read(giving(trt.IStreamReader, "read", b"abc"), None, 4)


def test_a_second_kind_of_reader_is_asked_until_it_has_given_everything(memory):
    class Reader(trt.IStreamReaderV2):
        def __init__(self):
            super().__init__()
            self.asked = []

        def read(self, num_bytes, stream):
            self.asked.append((num_bytes, stream))
            return b"ab"

    mine = Reader()
    assert byte_streams.read(Gate(), mine, 5, stream=3) == b"ababa"
    assert mine.asked == [(5, 3), (3, 3), (1, 3)]
    assert trt.IStreamReaderV2.read(mine, capsule(ctypes.addressof(memory)), 3, 0) == 3
    assert memory.raw[:4] == b"aba\xff"


def test_a_second_kind_of_reader_may_stop(capfd):
    assert byte_streams.read(Gate(), giving(trt.IStreamReaderV2, "read", b"ab", b""), 5) == b"ab"
    assert "User aborted the operation, the read function in streamReaderV2 returned 0 bytes." in capfd.readouterr().err


def test_a_second_kind_of_reader_that_fails_reads_nothing(capfd):
    assert byte_streams.read(Gate(), giving(trt.IStreamReaderV2, "read", b"ab", None), 5) == b""
    assert byte_streams.read(Gate(), trt.IStreamReaderV2(), 5) == b""
    missing = (
        "[ERROR] Exception caught in read(): RuntimeError: [ERROR] Failed to find override read function in python."
    )
    assert capfd.readouterr().err == f"{NO_BUFFER.format('NoneType')}{MISSING.format('read')}{missing}\n"


@pytest.mark.parametrize(("value", "moved"), [(True, True), (1, True), ("", False), ([0], True), (None, False)])
def test_seeking_takes_any_truth(value, moved):
    where = trt.SeekPosition.END
    assert byte_streams.seek(Gate(), giving(trt.IStreamReaderV2, "seek", value), 4, where) is moved
    assert trt.IStreamReaderV2.seek(giving(trt.IStreamReaderV2, "seek", value), 4, where) is moved


def test_a_reader_that_cannot_seek_says_so(capfd):
    assert byte_streams.seek(Gate(), trt.IStreamReaderV2(), 4, trt.SeekPosition.SET) is False
    assert (
        capfd.readouterr().err == MISSING.format("seek") + "[ERROR] Failed to find override seek function in python.\n"
    )


@pytest.mark.parametrize(("value", "written"), [(2, 2), (True, 1), (-1, -1), (2.0, 0), (None, 0), (2**70, 0)])
def test_a_writer_says_how_much_it_wrote(value, written, memory):
    assert byte_streams.write(Gate(quiet=True), giving(trt.IStreamWriter, "write", value), b"ab") == written
    writer = giving(trt.IStreamWriter, "write", value)
    assert trt.IStreamWriter.write(writer, capsule(ctypes.addressof(memory)), 4) == written


def test_a_writer_gets_bytes_and_is_heard_when_it_does_not_count(capfd):
    class Writer(trt.IStreamWriter):
        def write(self, data):
            self.data = data

    mine, gate = Writer(), Gate()
    assert byte_streams.write(gate, mine, b"abc") == 0
    assert mine.data == b"abc"
    assert capfd.readouterr().err == "[ERROR] StreamWriter shall returns the written bytes count in integer.\n"
    assert gate.failures[0].method == "write"


def test_a_writer_without_override_writes_nothing(capfd):
    assert byte_streams.write(Gate(), trt.IStreamWriter(), b"abc") == 0
    assert trt.IStreamWriter().write(None, 0) == 0
    assert capfd.readouterr().err == MISSING.format("write") * 2


def test_writing_from_a_null_pointer_is_a_crash_of_the_original():
    with pytest.raises(NativeCrash, match="4 bytes at address 0"):
        trt.IStreamWriter().write(None, 4)


class Collecting(trt.IStreamWriter):
    def __init__(self, *, short=0):
        super().__init__()
        self.data, self.short = b"", short

    def write(self, data):
        self.data += data
        return len(data) - self.short


def test_an_engine_is_written_to_a_stream():
    with shop() as made:
        made.profile()
        network = made.network()
        plain = made.builder.build_serialized_network(network, made.config)
        writer = Collecting()
        assert made.builder.build_serialized_network_to_stream(network, made.config, writer) is True
    assert writer.data == bytes(plain)


def test_an_engine_that_is_not_written_in_full_is_an_error():
    with shop() as made:
        made.profile()
        assert not made.builder.build_serialized_network_to_stream(made.network(), made.config, Collecting(short=1))
        assert "the stream writer wrote" in made.log.errors[0]


def test_nothing_is_written_where_no_engine_can_be_built():
    with shop() as made:
        writer = Collecting()
        assert not made.builder.build_serialized_network_to_stream(made.network(), made.config, writer)
    assert writer.data == b""
