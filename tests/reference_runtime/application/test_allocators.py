"""As measured with the genuine bindings, where these can be asked."""

import warnings

import pytest

import reference_runtime as trt
from reference_runtime.application import allocators
from reference_runtime.bound.capsules import capsule, pointer
from reference_runtime.bound.level_constants import VersionFacts
from reference_runtime.calling.gate.gate import Gate

pytestmark = pytest.mark.filterwarnings("ignore:Use Deprecated in TensorRT 10.0")
MISSING = "Method: {} was not overriden. Please provide an implementation for this method.\n"
NO_INT = "[ERROR] Return value of {}() could not be interpreted as an int\n"


class Recording:
    """Overrides that write down their arguments and give ``answer``."""

    answer = 4096

    def __init__(self):
        super().__init__()
        self.calls = []

    def _note(self, *call):
        self.calls.append(call)
        return self.answer


class Allocator(Recording, trt.IGpuAllocator):
    def __init__(self):
        trt.IGpuAllocator.__init__(self)
        self.calls = []

    def allocate(self, size, alignment, flags):
        return self._note("allocate", size, alignment, flags)

    def reallocate(self, address, alignment, new_size):
        return self._note("reallocate", address, alignment, new_size)

    def deallocate(self, memory):
        return self._note("deallocate", memory)


class AsyncAllocator(Recording, trt.IGpuAsyncAllocator):
    def __init__(self):
        trt.IGpuAsyncAllocator.__init__(self)
        self.calls = []

    def allocate_async(self, *arguments):
        return self._note("allocate_async", *arguments)

    def reallocate(self, *arguments):
        return self._note("reallocate", *arguments)

    def deallocate_async(self, memory, stream):
        return self._note("deallocate_async", memory, stream)


class Outputs(Recording, trt.IOutputAllocator):
    def __init__(self):
        trt.IOutputAllocator.__init__(self)
        self.calls = []

    def reallocate_output(self, *arguments):
        return self._note("reallocate_output", *arguments)

    def notify_shape(self, name, shape):
        self._note("notify_shape", name, type(shape).__name__, tuple(shape))


class AsyncOutputs(Outputs):
    def reallocate_output_async(self, *arguments):
        return self._note("reallocate_output_async", *arguments)


def test_tensorrt_allocates_resizes_and_frees_through_the_overrides():
    gate, mine = Gate(), Allocator()
    assert allocators.allocate(gate, mine, 10, 256, 1, stream=5) == 4096
    assert allocators.reallocate(gate, mine, 4096, 256, 20) == 4096
    assert allocators.deallocate(gate, mine, 4096, stream=5) is True
    assert mine.calls == [("allocate", 10, 256, 1), ("reallocate", 4096, 256, 20), ("deallocate", 4096)]


def test_an_asynchronous_allocator_gets_the_stream_before_the_flags():
    gate, mine = Gate(), AsyncAllocator()
    assert allocators.allocate(gate, mine, 10, 256, 1, stream=5) == 4096
    assert allocators.deallocate(gate, mine, 4096, stream=5) is True
    assert mine.calls == [("allocate_async", 10, 256, 5, 1), ("deallocate_async", 4096, 5)]


def test_other_versions_keep_the_order_of_the_signature(monkeypatch):
    monkeypatch.setattr(allocators, "version_facts", lambda: VersionFacts(stream_before_flags=False))
    mine = AsyncAllocator()
    allocators.allocate(Gate(), mine, 10, 256, 1, stream=5)
    assert mine.calls == [("allocate_async", 10, 256, 1, 5)]


def test_python_gets_capsules_from_the_bound_methods():
    mine = Allocator()
    assert pointer(trt.IGpuAllocator.allocate(mine, 1, 2, 3)) == 4096
    assert pointer(trt.IGpuAllocator.allocate_async(mine, 1, 2, 3, 4)) == 4096
    assert pointer(trt.IGpuAllocator.reallocate(mine, capsule(64), 2, 3)) == 4096
    assert trt.IGpuAllocator.deallocate(mine, capsule(64)) is True
    assert trt.IGpuAllocator.deallocate_async(mine, capsule(64), 7) is True
    assert [call[0] for call in mine.calls] == ["allocate", "allocate", "reallocate", "deallocate", "deallocate"]
    assert mine.calls[-1] == ("deallocate", 64)


def test_the_bound_methods_of_an_asynchronous_allocator_reach_its_own_overrides():
    mine = AsyncAllocator()
    trt.IGpuAllocator.allocate(mine, 1, 2, 3)
    trt.IGpuAsyncAllocator.allocate(mine, 1, 2, 3)
    trt.IGpuAsyncAllocator.allocate_async(mine, 1, 2, 3, 4)
    trt.IGpuAsyncAllocator.deallocate(mine, None)
    trt.IGpuAsyncAllocator.deallocate_async(mine, None, 4)
    trt.IGpuAsyncAllocator.reallocate(mine, None, 4, 5)
    assert mine.calls == [
        ("allocate_async", 1, 2, 0, 3),
        ("allocate_async", 1, 2, 0, 3),
        ("allocate_async", 1, 2, 4, 3),
        ("deallocate_async", 0, 0),
        ("deallocate_async", 0, 4),
        ("reallocate", 0, 4, 5),
    ]


@pytest.mark.parametrize("answer", [None, 1.5, "x", -1, 2**64])
def test_what_is_no_address_becomes_null(answer, capfd):
    mine, gate = Allocator(), Gate()
    mine.answer = answer
    assert allocators.allocate(gate, mine, 1, 1) == 0
    assert allocators.reallocate(gate, mine, 1, 1, 1) == 0
    assert capfd.readouterr().err == NO_INT.format("allocate") * 2
    assert [failure.becomes for failure in gate.failures] == ["TensorRT gets a null pointer: the allocation failed"] * 2


def test_an_allocator_that_does_not_free_is_heard(capfd):
    mine, gate = Allocator(), Gate()
    mine.answer = "x"
    assert allocators.deallocate(gate, mine, 4096) is False
    assert capfd.readouterr().err.startswith("[ERROR] Exception caught in deallocate(): Unable to cast Python instance")
    assert gate.failures[0].becomes == "TensorRT assumes that the memory is still allocated"


@pytest.mark.parametrize(
    ("cls", "missing"),
    [
        (trt.IGpuAllocator, ["allocate", "reallocate", "deallocate"]),
        (trt.IGpuAsyncAllocator, ["allocate_async", "reallocate", "deallocate_async"]),
    ],
)
def test_missing_overrides_give_no_memory(cls, missing, capfd):
    gate, bare = Gate(), cls()
    assert allocators.allocate(gate, bare, 1, 1) == 0
    assert allocators.reallocate(gate, bare, 1, 1, 1) == 0
    assert allocators.deallocate(gate, bare, 1) is False
    assert capfd.readouterr().err == "".join(MISSING.format(method) for method in missing)


def test_the_old_methods_warn_of_their_successors():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        trt.IGpuAllocator.allocate(Allocator(), 1, 2, 3)
        trt.IGpuAsyncAllocator.deallocate(AsyncAllocator(), None)
    assert [str(warning.message) for warning in seen] == [
        "Use Deprecated in TensorRT 10.0. Superseded by allocate instead.",
        "Use Deprecated in TensorRT 10.0. Superseded by deallocate_async instead.",
    ]
    assert {warning.filename for warning in seen} == {__file__}


@pytest.mark.parametrize("cls", [trt.IGpuAllocator, trt.IGpuAsyncAllocator])
def test_allocators_say_that_they_are_written_in_cpp(cls):
    info = cls().interface_info
    assert (info.kind, info.major, info.minor) == ("IGpuAllocator", 1, 0)
    assert cls().api_language == trt.APILanguage.CPP


def test_an_output_allocator_is_asked_for_memory_and_told_the_shape():
    gate, mine = Gate(), Outputs()
    assert allocators.reallocate_output(gate, mine, "y", 64, 100, 256, stream=5) == 4096
    allocators.notify_shape(gate, mine, "y", (2, 3))
    assert mine.calls == [("reallocate_output", "y", 64, 100, 256), ("notify_shape", "y", "Dims", (2, 3))]


def test_the_asynchronous_method_is_preferred():
    mine = AsyncOutputs()
    allocators.reallocate_output(Gate(), mine, "y", 64, 100, 256, stream=5)
    assert mine.calls == [("reallocate_output_async", "y", 64, 100, 256, 5)]


@pytest.mark.parametrize(("cls", "name"), [(Outputs, "reallocateOutput"), (AsyncOutputs, "reallocateOutputAsync")])
def test_an_output_allocator_that_gives_no_address_gives_null(cls, name, capfd):
    mine, gate = cls(), Gate()
    mine.answer = None
    assert allocators.reallocate_output(gate, mine, "y", 0, 1, 1) == 0
    assert capfd.readouterr().err == NO_INT.format(name)
    assert gate.failures[0].becomes == "TensorRT gets a null pointer: the execution fails"


def test_an_output_allocator_without_overrides_gives_null(capfd):
    gate, bare = Gate(), trt.IOutputAllocator()
    assert allocators.reallocate_output(gate, bare, "y", 0, 1, 1) == 0
    allocators.notify_shape(gate, bare, "y", (1,))
    pure = 'Exception caught in notifyShape(): Tried to call pure virtual function "IOutputAllocator::notify_shape"'
    assert capfd.readouterr().err == MISSING.format("reallocate_output") + f"[ERROR] {pure}\n"
    assert [failure.method for failure in gate.failures] == ["reallocate_output", "notify_shape"]
