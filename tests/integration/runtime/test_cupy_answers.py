"""The CuPy bridge against CuPy 14.2 on a GPU: the same answers, and memory where CuPy takes memory."""

import json
import pathlib

import numpy as np
import pytest

import reference_runtime.bridges.cupy as cp
from reference_runtime.devices import host
from reference_runtime.devices.host import HostDevice
from tests.support.runtime.cupy_allocations import OPERATIONS, allocations, given, perform
from tests.support.runtime.cupy_snippets import SNIPPETS, answer

DATA = pathlib.Path(__file__).parents[2] / "data" / "runtime"
MEASURED = json.loads((DATA / "cupy_14_2.json").read_text())["answers"]

DLPACK = "memory of the host would pass for memory of a device"
NUMPY_SAYS_IT = "the same refusal in NumPy's or Python's words"
HOST_ARRAYS = "CuPy computes some functions of host arrays on the host; the bridge takes device arrays only"
OUR_NAME = "the module is loaded under our name"
LAMBDA = "CuPy fails to compile a kernel called <lambda>; the bridge compiles nothing"
DIFFERENT = {
    "cp.__name__": OUR_NAME,
    "cp.cuda.__name__, cp.cuda.runtime.__name__": OUR_NAME,
    "type(x.__dlpack__()).__name__": DLPACK,
    "type(x.toDlpack()).__name__": DLPACK,
    "cp.sum(n)": HOST_ARRAYS,
    "cp.sum(3)": HOST_ARRAYS,
    "cp.sum([1, 2])": HOST_ARRAYS,
    "cp.sort(n)": HOST_ARRAYS,
    "cp.pad(n, 1)": HOST_ARRAYS,
    "cp.concatenate([])": HOST_ARRAYS,
    "cp.copyto(n, x)": "CuPy fails with an AttributeError about its own internals",
    "np.copyto(n, x)": "CuPy fails with an AttributeError about its own internals",
    "cp.fuse(lambda a, c: a * c + 1)(x, 2)": LAMBDA,
    "cp.fuse()(lambda a: a * 2)(x)": LAMBDA,
}
OTHER_WORDS = {
    "cp.zeros(-1)",
    "n @ x.T",
    "x @ x",
    "x.item(1)",
    "x.dtype = np.int32",
    "x.strides = (4, 4)",
    "memoryview(x)",
    "cp.copyto(x, cp.zeros((3, 3)))",
    "np.frombuffer(x)",
    "cp.concatenate([x, cp.zeros((2, 2))])",
    "cp.broadcast_to(n, (2, 2, 3))",
    "cp.ndarray()",
    "cp.cuda.UnownedMemory(x.data.ptr, x.nbytes)",
    "cp.cuda.MemoryPointer(x.data.mem)",
    "x.data - x.data",
    "cp.cuda.ExternalStream()",
    "hash(cp.cuda.Device(0))",
}
measured_with_numpy_2 = pytest.mark.skipif(
    int(np.__version__.split(".")[0]) < 2, reason="the answers were measured with NumPy 2, which promotes differently"
)


def comparable(found):
    """Return an answer without CuPy's own deprecations: the bridge stands for versions 13 and 14 alike."""
    return [part for part in found if not str(part).startswith("warned DeprecationWarning: ExternalStream")]


def answered(snippet):
    return json.loads(json.dumps(answer(snippet, cp, np)))


@measured_with_numpy_2
def test_bridge_answers_as_cupy_does():
    exact = [snippet for snippet in SNIPPETS if snippet not in {*DIFFERENT, *OTHER_WORDS}]
    pairs = {snippet: (comparable(answered(snippet)), comparable(MEASURED[snippet])) for snippet in exact}
    assert {snippet: pair for snippet, pair in pairs.items() if pair[0] != pair[1]} == {}


@measured_with_numpy_2
def test_bridge_refuses_what_cupy_refuses_in_other_words():
    pairs = {snippet: (comparable(answered(snippet)), comparable(MEASURED[snippet])) for snippet in OTHER_WORDS}
    assert {snippet: pair for snippet, pair in pairs.items() if pair[0][:2] != pair[1][:2]} == {}
    assert {pair[1][0] for pair in pairs.values()} == {"raised"}
    assert [snippet for snippet in OTHER_WORDS if answered(snippet) == comparable(MEASURED[snippet])] == []


@measured_with_numpy_2
def test_a_declared_difference_is_one():
    assert [snippet for snippet in DIFFERENT if answered(snippet) == MEASURED[snippet]] == []


# --- which operations allocate and wait, as measured on a GPU

ALLOCATIONS = json.loads(
    (pathlib.Path(__file__).parents[2] / "data" / "runtime" / "cupy_14_2_allocations.json").read_text()
)["operations"]


def test_operations_allocate_where_cupys_do():
    found = {operation: allocations(operation, cp, np) > 0 for operation in OPERATIONS}
    assert found == {operation: ALLOCATIONS[operation][0] > 0 for operation in OPERATIONS}


def waits(operation):
    names = given(cp, np)
    with host.use(HostDevice()) as device, device.recording() as log, names["s"]:
        perform(operation, names)
    return bool(log.synchronizations)


def test_what_a_graph_can_record_does_not_make_the_host_wait():
    recorded = [operation for operation in OPERATIONS if ALLOCATIONS[operation][1]]
    assert recorded
    assert [operation for operation in recorded if waits(operation)] == []


@pytest.mark.parametrize("operation", ["x.nonzero()", "cp.nanmax(x)", "cp.unravel_index(cp.arange(4), (2, 2))"])
def test_what_cupy_looks_at_on_the_host_makes_it_wait(operation):
    assert waits(operation)
