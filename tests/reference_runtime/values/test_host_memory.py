"""The surface of the original: the buffer protocol, two properties, and nothing else."""

import copy
import io
import pickle

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.values.host_memory import host_memory


@pytest.fixture
def memory():
    return host_memory(b"abc")


def test_it_has_a_size_and_a_type(memory):
    assert (memory.nbytes, memory.dtype) == (3, trt.int8)


@pytest.mark.parametrize(
    "read",
    [
        bytes,
        lambda memory: memoryview(memory).tobytes(),
        lambda memory: np.frombuffer(memory, np.uint8).tobytes(),
        lambda memory: io.BytesIO(memory).read(),
        lambda memory: b"".join([memory]),
    ],
)
def test_its_bytes_are_read_through_the_buffer_protocol(memory, read):
    assert read(memory) == b"abc"


def test_it_is_written_to_a_file(memory, tmp_path):
    (tmp_path / "engine").write_bytes(memory)
    assert (tmp_path / "engine").read_bytes() == b"abc"


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (len, "has no len"),
        (lambda memory: memory[0], "not subscriptable"),
        (iter, "not iterable"),
        (lambda memory: 97 in memory, "not iterable|not a container"),
        (lambda memory: memory + b"", "unsupported operand"),
        (lambda memory: memory * 2, "unsupported operand"),
        (lambda memory: 2 * memory, "unsupported operand"),
        (lambda memory: memory % 1, "unsupported operand"),
        (lambda memory: memory < host_memory(b""), "not supported between instances"),
        (copy.copy, "cannot pickle"),
        (copy.deepcopy, "cannot pickle"),
        (pickle.dumps, "cannot pickle"),
    ],
)
def test_it_is_no_sequence(memory, use, words):
    with pytest.raises(TypeError, match=words):
        use(memory)


@pytest.mark.parametrize("name", ["hex", "decode", "__len__", "__getitem__", "__iter__", "__bytes__", "__add__"])
def test_what_bytes_have_is_not_found(memory, name):
    assert not hasattr(memory, name)
    assert not hasattr(trt.IHostMemory, name)


def test_dir_shows_what_the_original_shows(memory):
    shown = {name for name in dir(memory) if not name.startswith("_")}
    assert shown == {"dtype", "nbytes"} == {name for name in dir(trt.IHostMemory) if not name.startswith("_")}


def test_it_is_equal_to_itself_alone(memory):
    again = memory
    assert memory == again
    assert memory != host_memory(b"abc")
    assert memory != b"abc"
    assert memory != b"abc"
    assert {memory: 1}[memory] == 1


def test_an_empty_one_is_true():
    assert host_memory(b"")


def test_python_cannot_make_one():
    with pytest.raises(TypeError, match="IHostMemory: No constructor defined!"):
        trt.IHostMemory(b"abc")


def test_it_is_shown_as_an_object(memory):
    assert str(memory).startswith("<tensorrt.tensorrt.IHostMemory object at 0x")
