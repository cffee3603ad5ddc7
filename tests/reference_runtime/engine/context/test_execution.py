from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.application.allocators import IOutputAllocator
from reference_runtime.devices import host
from tests.integration.runtime.test_context_settings import Arena
from tests.integration.runtime.test_running_v3 import NonZero, counting, give
from tests.support.runtime.recording import bind, shop
from tests.support.runtime.recording_v3 import shop_v3

SHAPE = {"x0": (2, 3, 4)}


class Outputs(IOutputAllocator):
    """Allocates exactly what is asked for, unless it is told what to ``answer``; writes everything down."""

    def __init__(self, answer=None):
        super().__init__()
        self.calls, self.buffer, self.answer = [], None, answer

    def reallocate_output(self, name, memory, size, alignment):
        self.calls.append(("reallocate", name, memory, size, alignment))
        if self.answer is not None:
            return self.answer(memory, size)
        self.buffer = host.current_device().allocate(size, label="given")
        return self.buffer.address

    def notify_shape(self, name, shape):
        self.calls.append(("notify", name, tuple(shape)))


class OnStream(Outputs):
    def reallocate_output_async(self, name, memory, size, alignment, stream):
        self.calls.append(("on stream", stream))
        return self.reallocate_output(name, memory, size, alignment)


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def context(made):
    made.profile((0, 3, 1), (2, 3, 4), (4, 3, 8))
    context = made.engine(made.network()).create_execution_context()
    bind(context, SHAPE)
    context.set_tensor_address("y0", 0)
    return context


def test_an_allocator_is_asked_in_each_execution_and_told_the_shape(context):
    allocator = Outputs()
    assert context.set_output_allocator("y0", allocator)
    assert context.get_output_allocator("y0") is allocator
    for _ in range(2):
        assert context.execute_async_v3(0)
        np.testing.assert_array_equal(allocator.buffer.read(np.float32, 24), 2.0 * np.arange(24))
    assert allocator.calls == [("reallocate", "y0", 0, 96, 256), ("notify", "y0", (2, 3, 4))] * 2


def test_the_address_that_was_set_is_offered_for_use(context):
    device = host.current_device().allocate(96)
    allocator = Outputs(lambda memory, _size: memory)
    context.set_output_allocator("y0", allocator)
    context.set_tensor_address("y0", device.address)
    assert context.execute_async_v3(0)
    assert allocator.calls[0] == ("reallocate", "y0", device.address, 96, 256)
    np.testing.assert_array_equal(device.read(np.float32, 24), 2.0 * np.arange(24))


def test_an_empty_output_is_asked_for_too(context):
    allocator = Outputs()
    context.set_output_allocator("y0", allocator)
    assert context.set_input_shape("x0", (0, 3, 4))
    assert context.execute_async_v3(0)
    assert allocator.calls == [("reallocate", "y0", 0, 1, 256), ("notify", "y0", (0, 3, 4))]


def test_an_allocator_that_has_the_method_is_given_the_stream(context):
    stream, allocator = host.current_device().new_stream(), OnStream()
    context.set_output_allocator("y0", allocator)
    assert context.execute_async_v3(stream.handle)
    assert allocator.calls[0] == ("on stream", stream.handle)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda _memory, _size: 0, "gave no memory for 96 bytes"),
        (lambda _memory, _size: 1 / 0, "gave no memory for 96 bytes"),
        (lambda _memory, _size: "memory", "gave no memory for 96 bytes"),
        (lambda _memory, _size: host.current_device().allocate(512).address + 8, "is not a multiple of 256"),
        (lambda _memory, size: host.current_device().allocate(size - 1).address, "1 bytes past its end"),
        (lambda _memory, _size: 0x1000, "where no device memory is"),
    ],
)
def test_memory_of_no_use_fails_the_execution(made, context, answer, words):
    allocator = Outputs(answer)
    context.set_output_allocator("y0", allocator)
    mark = len(made.tape.calls)
    assert not context.execute_async_v3(0)
    assert words in made.log.errors[0]
    assert [call[0] for call in allocator.calls] == ["reallocate"]
    assert "enqueue" not in [method for _, method, _ in made.tape.calls[mark:]]


def test_none_is_no_memory(made, context):
    class Nothing(Outputs):
        def reallocate_output(self, *_arguments):
            return None

    context.set_output_allocator("y0", Nothing())
    assert not context.execute_async_v3(0)
    assert "gave no memory" in made.log.errors[0]
    assert made.gate.failures[0].method == "reallocate_output"


def test_without_an_allocator_or_address_an_output_is_refused(made, context):
    allocator = Outputs()
    context.set_output_allocator("y0", allocator)
    assert context.set_output_allocator("y0", None)
    assert context.get_output_allocator("y0") is None
    assert not context.execute_async_v3(0)
    assert "Neither address or allocator is set for output tensor y0" in made.log.errors[0]
    assert allocator.calls == []


def test_an_allocator_is_for_an_output(made, context):
    assert not context.set_output_allocator("x0", Outputs())
    assert not context.set_output_allocator("z", Outputs())
    assert context.get_output_allocator("x0") is None
    assert len(made.log.errors) == 3
    with pytest.raises(TypeError):
        context.set_output_allocator("y0", 5)


@pytest.mark.parametrize("behind", [False, True])
def test_an_output_of_unknown_size_is_asked_for_when_the_size_is_known(behind):
    with shop_v3(kind=NonZero) as made:
        context = counting(made, behind=behind).create_execution_context()
        give(context, [0, 1, 0, 2, 3, 0])
        context.set_tensor_address("y0", 0)
        assert not context.execute_async_v3(0)
        assert "Neither address or allocator is set for output tensor y0" in made.log.errors[0]
        allocator = Outputs()
        context.set_output_allocator("y0", allocator)
        assert context.execute_async_v3(0), made.log.errors
        assert allocator.calls == [("reallocate", "y0", 0, 12, 256), ("notify", "y0", (3,))]
        np.testing.assert_array_equal(allocator.buffer.read(np.float32, 3), (1 + behind) * np.array([1, 2, 3]))
        give(context, [0, 0])
        context.set_tensor_address("y0", 0)
        assert context.execute_async_v3(0)
        assert allocator.calls[2:] == [("reallocate", "y0", 0, 1, 256), ("notify", "y0", (0,))]


def test_what_waits_for_its_size_lies_in_temporary_memory():
    with shop_v3(kind=NonZero) as made:
        device = host.HostDevice()
        with host.use(device):
            context = counting(made).create_execution_context()
            give(context, [1, 2, 3])
            assert context.execute_async_v3(0), "what the context needs for itself is there from now on"
            arena = Arena()
            context.temporary_allocator = arena
            for answer, worked in ((None, True), (lambda *_: 0, False)):
                context.set_output_allocator("y0", Outputs(answer))
                before = len(device.buffers)
                assert context.execute_async_v3(0) is worked
                assert len(device.buffers) == before + worked
            assert [size for size, _, _ in arena.asked] == [12, 12]
            assert len(arena.freed) == 2
            context.temporary_allocator = Arena(empty=True)
            assert not context.execute_async_v3(0)
            assert "the temporary allocator gave no memory" in made.log.errors[-1]


@pytest.mark.parametrize(
    ("options", "words"),
    [({}, ""), ({"empty": True}, "gave no memory for 20 bytes"), ({"off": 8}, "which is not a multiple of 256")],
)
def test_an_output_of_unknown_size_is_written_to_temporary_memory_first(options, words):
    with shop_v3(kind=NonZero) as made:
        context = counting(made).create_execution_context()
        give(context, [0, 1, 0, 2, 3])
        context.set_output_allocator("y0", outputs := Outputs())
        context.temporary_allocator = allocator = Arena(**options)
        assert context.execute_async_v3(0) == (not words)
        assert words in "".join(made.log.errors)
        assert [size for size, _, _ in allocator.asked] == [20]
        assert len(allocator.freed) == (words == "" or "off" in options)
        assert words or outputs.calls[-1] == ("notify", "y0", (3,))
