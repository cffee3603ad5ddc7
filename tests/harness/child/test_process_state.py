"""ProcessState sees each change of the process; what Python cannot see counts as changed."""

import contextvars
import ctypes
import itertools
import threading
import types

import numba
import numpy as np
import pytest

from harness.child import process_state
from harness.child.process_state import ProcessState
from reference_runtime.devices.cuda_memory import CudaBuffer


@pytest.fixture
def module(monkeypatch, tmp_path):
    """A module of a user's, which is loaded."""
    made = types.ModuleType("users_own")
    made.__file__ = str(tmp_path / "users_own.py")
    (tmp_path / "users_own.py").touch()
    monkeypatch.setattr(process_state.loaded_files, "modules_by_file", lambda _names: {made.__file__: made})
    # What pytest and earlier tests do in this process is not what is tested.
    monkeypatch.setattr(process_state, "sys", types.SimpleNamespace(modules={"users_own": made, "numpy": np}))
    monkeypatch.setattr(process_state.own_clock, "has_threads", lambda _, beyond: False)  # noqa: ARG005
    monkeypatch.setattr(process_state, "_open_files", list)
    monkeypatch.setattr(process_state, "_memory", lambda: 0)
    return made


def noted(module):
    """The state of this process, noted now."""
    state = ProcessState(module.__name__)
    state.note()
    return state


HIDDEN = {
    "a count": (itertools.count(), next),
    "a generator of random numbers": (np.random.default_rng(0), lambda held: held.random()),
    "a global generator of NumPy": (np.random.RandomState(0), lambda held: held.rand()),
    "an iterator": ((number for number in range(9)), next),
    "bytes": (bytearray(2), lambda held: held.append(1)),
    "a number of C": (ctypes.c_void_p(1), lambda held: setattr(held, "value", 2)),
    "a context variable": (contextvars.ContextVar("held"), lambda held: held.set(1)),
    "what is a thread's own": (threading.local(), lambda held: setattr(held, "shape", (2, 3))),
    "a table in a table": ({1: {2: [3]}}, lambda held: held[1][2].append(4)),
}


@pytest.mark.parametrize(("held", "use"), HIDDEN.values(), ids=HIDDEN)
def test_what_an_object_of_the_module_holds_is_seen(module, held, use):
    module.held = held
    state = noted(module)
    assert state.is_unchanged()
    use(held)
    assert not state.is_unchanged()


def test_not_a_number_is_what_it_was(module):
    module.held = [float("nan")]
    assert noted(module).is_unchanged()


def test_what_cannot_be_seen_counts_as_changed(module):
    module.held = type("Library", (), {"__module__": "torch.nn"})()
    assert not noted(module).is_unchanged()


def test_an_object_behind_an_address_cannot_be_seen(module):
    module.held = ctypes.py_object([])
    assert not noted(module).is_unchanged()


def test_an_object_that_a_library_wrote_in_python_is_seen(module):
    process_state.sys.modules["torch.own"] = types.SimpleNamespace(__file__="/site-packages/torch/own.py")
    module.held = type("Options", (), {"__module__": "torch.own"})()
    module.held.depth = 1
    state = noted(module)
    assert state.is_unchanged()
    module.held.depth = 2
    assert not state.is_unchanged()


def test_a_table_of_a_librarys_types_is_unchanged(module):
    module.held = {1: type("dtype", (), {"__module__": "torch", "__slots__": ()})()}
    assert noted(module).is_unchanged()


def test_a_kernel_of_the_module_that_compiled_itself_is_unchanged(module):
    """What numba, CuPy and Triton compile is kept in the kernel; only what a plugin adds to it is state."""
    assert numba.njit(lambda x: x)(1) == 1  # the first compilation in a process loads more of numba
    module.held = numba.njit(lambda x: x + 1)
    state = noted(module)
    assert module.held(1) == 2
    assert state.is_unchanged()
    module.held.calls = 1
    assert not state.is_unchanged()


def test_a_tensor_is_what_it_was_as_long_as_its_elements_are(module):
    torch = pytest.importorskip("torch")
    tensor = torch.arange(6, dtype=torch.bfloat16).reshape(2, 3).t()
    module.held = {"weights": tensor, "number": torch.tensor(1.5, requires_grad=True)}
    state = noted(module)
    assert state.is_unchanged()
    tensor[1, 1] = 9
    assert not state.is_unchanged()


def test_memory_of_a_gpu_that_a_program_keeps_is_seen(module):
    """An engine of the program leads to it. What it has of CUDA's libraries cannot be seen."""
    unseen = type("Listener", (), {"__module__": "cupy.cuda"})()
    module.held = CudaBuffer(4096, 8, label="x", owner="runtime", source="malloc", on_free=unseen)
    state = noted(module)
    assert state.is_unchanged()
    module.held.freed = True
    assert not state.is_unchanged()


def test_a_large_tensor_counts_as_changed(module, monkeypatch):
    torch = pytest.importorskip("torch")
    module.held = torch.zeros(100)
    monkeypatch.setattr(process_state, "MOST_TENSOR", 399)
    assert not noted(module).is_unchanged()


def test_more_objects_than_can_be_looked_at_count_as_changed(module, monkeypatch):
    module.held = [[number] for number in range(99)]
    monkeypatch.setattr(process_state, "MOST_OBJECTS", 50)
    assert not noted(module).is_unchanged()


def test_a_process_that_grew_counts_as_changed(module, monkeypatch):
    state = noted(module)
    monkeypatch.setattr(process_state, "_memory", lambda: process_state.MOST_GROWTH + 1)
    assert not state.is_unchanged()


def test_a_resource_that_a_plugin_keeps_in_the_registry_is_seen(module, monkeypatch):
    claims = {}
    registry = process_state.get_plugin_registry()
    monkeypatch.setattr(type(registry), "acquired", lambda _self: dict(claims))
    state = noted(module)
    assert state.is_unchanged()
    claims["table"] = 1
    assert not state.is_unchanged()


def test_a_variable_of_another_module_is_seen(module, monkeypatch):
    other = types.ModuleType("library")
    other.known = []
    process_state.sys.modules["library"] = other
    state = noted(module)
    assert state.is_unchanged()
    monkeypatch.setattr(other, "known", [1])
    assert not state.is_unchanged()
    other.known = []
    other.added = 1
    assert not state.is_unchanged()
