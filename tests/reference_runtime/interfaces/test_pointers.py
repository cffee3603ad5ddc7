import array
import ctypes

import numpy as np
import pytest

from reference_runtime.interfaces.pointers import lend


@pytest.mark.parametrize(
    "exporter",
    [
        b"\1\2\3\4",
        bytearray(b"\1\2\3\4"),
        memoryview(b"\1\2\3\4"),
        array.array("b", [1, 2, 3, 4]),
        np.array([1, 2, 3, 4], np.int8),
        np.frombuffer(b"\1\2\3\4", np.int8),
        (ctypes.c_int8 * 4)(1, 2, 3, 4),
        np.array([[1, 2], [3, 4]], np.int8),
    ],
)
def test_any_buffer_is_read_from_its_first_byte(exporter):
    loan, pointer = lend(exporter)
    assert pointer.read(4) == b"\1\2\3\4"
    assert pointer.alive
    assert loan.exporter is exporter


@pytest.mark.parametrize("other", [[1], "text", 5, None])
def test_what_is_no_buffer_is_refused(other):
    with pytest.raises(TypeError):
        lend(other)


def test_strides_are_ignored_and_the_rest_of_the_owner_is_readable():
    whole = np.arange(8, dtype=np.int8)
    _loan, pointer = lend(whole[2::2])
    assert pointer.read(6) == bytes([2, 3, 4, 5, 6, 7])


def test_beyond_the_owner_there_is_poison():
    _loan, pointer = lend(np.arange(8, dtype=np.int8)[::-1])
    assert pointer.read(3) == bytes([7, 0xA5, 0xA5])


def test_the_memory_is_gone_when_neither_loan_nor_owner_is_left():
    exporter = np.array([1, 2], np.int8)
    loan, pointer = lend(exporter)
    del exporter
    assert pointer.read(2) == b"\1\2"
    del loan
    assert not pointer.alive
    assert pointer.read(2) == b"\xa5\xa5"


def test_the_memory_stays_while_the_owner_of_a_view_does():
    owner = np.array([1, 2, 3], np.int8)
    loan, pointer = lend(owner[1:])
    del loan
    assert pointer.alive
    assert pointer.read(2) == b"\2\3"
    del owner
    assert not pointer.alive


def test_the_source_tells_what_the_field_forgets():
    _loan, pointer = lend(np.zeros((2, 3), np.float64)[:, ::2])
    source = pointer.source
    assert (source.format, source.itemsize, source.count, source.nbytes, source.contiguous) == ("d", 8, 4, 32, False)
