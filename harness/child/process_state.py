"""List the state that a task must leave unchanged for the next task to share its process.

Theory: many rules can be judged in one process if none can notice what ran before it. So after each task the process is
compared with its state before the first task. It compares the user's modules, with all that their variables, classes
and closures hold. It compares the plugin registry, with creators and resources. It compares the variables of all other
modules; the judge's own modules rebind none. It also compares settings, threads, processes, open files and memory. A
difference, or a state that cannot be seen, ends the process, and the next task gets a new process. An object whose
class has ``__process_state__`` reports its changeable state itself: a library of C++ plugins lists its variables.
"""

from __future__ import annotations

import builtins
import ctypes
import gc
import importlib
import itertools
import operator
import os
import random
import resource
import sys
import threading
from contextvars import ContextVar
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.observation.global_settings import settings_of_process
from harness.child.integrity.judging_code import PUBLIC
from harness.process import linux, loaded_files, own_clock
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Objects that are looked at; to look at more takes longer than a new process.
MOST_OBJECTS = 20_000
#: Bytes of a tensor up to which it is compared.
MOST_TENSOR = 2**24
#: Bytes that a process may grow by.
MOST_GROWTH = 2**28
_VALUES = {int, float, complex, bool, str, bytes, type(None), type(...), range}
#: Numbers and addresses of C.
_NUMBERS = {*ctypes._SimpleCData.__subclasses__()} - {ctypes.py_object}  # noqa: SLF001 - no public name lists them
_UNSEEN = {ModuleType, CodeType, FrameType, BuiltinFunctionType}
#: Libraries whose objects keep state where Python does not see it.
_OPAQUE = {"_ctypes", "ctypes", "cuda", "cupy", "numba", "pycuda", "torch", "triton"}
#: Those that keep none: types, and kernels, which compile themselves when they are used. A plugin can add attributes.
_WITHOUT_STATE = {
    "Autotuner",
    "CPUDispatcher",
    "CUDADispatcher",
    "ElementwiseKernel",
    "FakeCUDAKernel",
    "Heuristics",
    "InterpretedFunction",
    "InterpreterBuilder",
    "JITFunction",
    "RawKernel",
    "RawModule",
    "ReductionKernel",
    "TritonSemantic",
    "device",
    "dtype",
    "layout",
    "memory_format",
}
_TENSORS = {"Tensor", "Parameter"}
#: Seconds in which a thread that was joined has vanished.
_THREAD_END_SECONDS = 0.02
_PAGE = resource.getpagesize()


class ProcessState:
    """A process as it is before its first task, and after each."""

    def __init__(self, module: str, device: str = "host") -> None:
        """Find what to look at; ``module`` is the user's, by its name in ``sys.modules``.

        CUDA starts threads, opens files and maps memory when it is first used. On a GPU none of these is compared.
        """
        self._module = module
        self._has_cuda = device == "cuda"
        self._known = len(sys.modules)
        self._own = loaded_files.modules_by_file([module])
        own = {id(module) for module in self._own.values()}
        left_out = {*loaded_files.OURS}
        if self._has_cuda:
            left_out |= _OPAQUE  # they load parts of themselves when these are used
        self._others = [
            vars(module)
            for name, module in sys.modules.items()
            if isinstance(module, ModuleType)
            and id(module) not in own
            and (name in PUBLIC or name.partition(".")[0] not in left_out)
        ]

    def note(self) -> None:
        """Note the state; a process does so before its first task."""
        self._values = list(map(_values_of, self._others))
        self._before = self._now()
        self._memory = _memory()
        self._threads = threading.active_count() if self._has_cuda else linux.count_of_threads()

    def is_unchanged(self) -> bool:
        """Return whether the next task finds the same state as the first task."""
        gc.collect()
        if self._before is None or self._has_more_modules() or self._left_something():
            return False
        gc.freeze()  # what lives now outlives the task: the next collection need not look at it
        try:
            return self._others_are_unchanged() and self._now() == self._before
        except Exception:  # noqa: BLE001 - what cannot be compared, such as an array, is not what it was
            return False

    def _has_more_modules(self) -> bool:
        """Return whether more of the user's modules are loaded; further library modules do not matter."""
        known, self._known = self._known, len(sys.modules)
        return known != self._known and loaded_files.modules_by_file([self._module]).keys() != self._own.keys()

    def _left_something(self) -> bool:
        if self._has_cuda:
            return threading.active_count() > self._threads
        grew = _memory() - self._memory > MOST_GROWTH
        return grew or own_clock.has_threads(_THREAD_END_SECONDS, beyond=self._threads)

    def _others_are_unchanged(self) -> bool:
        """Return whether the variables of all other modules are unchanged; it lists one module at a time, for speed."""
        return all(map(operator.eq, map(_values_of, self._others), self._values))

    def _now(self) -> list[Any] | None:
        """Return the state as values that can be compared; None if it is too much, or some cannot be seen."""
        registry = get_plugin_registry()
        try:
            seen = _contents(list(self._own.values()), [registry.snapshot(), registry.acquired()])
        except Exception:  # noqa: BLE001 - besides _CannotTellError, what a proxy raises when it is looked at
            return None
        process = (linux.children_of(os.getpid()), [] if self._has_cuda else _open_files())
        return [seen, settings_of_process(), process]


class _CannotTellError(Exception):
    """There is too much, or something that Python cannot see."""


def _contents(modules: list[ModuleType], further: list[Any]) -> list[Any]:
    """Return what the variables of some modules, and further objects, lead to, without what belongs to other modules.

    It is a list of values. Each other object is its type or, if it existed before, its place.
    """
    names = {module.__name__ for module in modules}
    waiting: list[Any] = [*map(vars, modules), *further]
    places = {id(vars(builtins)): 0}
    seen: list[Any] = []
    kept: list[Any] = []  # alive, so that no other object gets its address meanwhile
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in _VALUES:
            seen.append(each)
            continue
        place = places.setdefault(id(each), len(places))
        if place < len(kept) + 1:
            seen.append((place,))
            continue
        kept.append(each)
        seen.append(kind)
        waiting += _led_to(each, kind, names, seen)
        if len(kept) > MOST_OBJECTS:
            raise _CannotTellError
    return seen


def _led_to(each: Any, kind: type, names: set[str], seen: list[Any]) -> list[Any]:
    """Return the objects that an object leads to, and note in ``seen`` what it holds beside them."""
    if (reported := _reported(each, kind)) is not None:
        seen.append(reported)
        return []
    if kind is dict:
        return [*each, *each.values()]
    if kind is list or kind is tuple:
        return list(each)
    if kind is FunctionType:
        own = each.__module__ in names
        return [each.__code__, each.__defaults__, each.__kwdefaults__, each.__closure__, vars(each)] if own else []
    if kind in _UNSEEN or _is_foreign(each, names):
        return []
    seen += _hidden(each)
    # Python makes the dictionary of an object at its first use.
    return [*(held for held in gc.get_referents(each) if type(held) is not dict or held), *_of_this_thread(each)]


def _is_foreign(each: Any, names: set[str]) -> bool:
    """Return whether a value is a class or module of another package; raise for objects that Python cannot inspect."""
    if isinstance(each, type):
        return each.__module__ not in names
    if _is_opaque(type(each)) and not all(map(_is_in_python, type(each).__mro__[:-1])):
        raise _CannotTellError
    return isinstance(each, ModuleType)


def _reported(each: Any, kind: type) -> tuple[object, ...] | None:
    """Return the state that an object reports; of an object without state, the names of attributes that it got."""
    if hasattr(kind, "__process_state__"):
        return (each.__process_state__(),)
    if kind.__name__ in _TENSORS and _is_opaque(kind):
        return _of_tensor(each)
    if kind in _NUMBERS:
        return (bytes(each),)
    is_without = kind.__name__ in _WITHOUT_STATE and _is_opaque(kind)
    return (*sorted(getattr(each, "__dict__", ())),) if is_without else None


def _of_tensor(tensor: Any) -> tuple[object, ...]:
    """Return what a tensor of torch holds, on any device; raise for a large tensor, which takes long to read."""
    if tensor.nbytes > MOST_TENSOR:
        raise _CannotTellError
    torch: Any = importlib.import_module("torch")
    with torch._C.DisableTorchFunction():  # noqa: SLF001 - no public name leaves out the mode of our bridge
        data = tensor.detach().cpu().reshape(-1).view(torch.uint8).numpy().tobytes()
        return (tensor.dtype, tuple(tensor.shape), hash(data), *sorted(vars(tensor)))


def _is_opaque(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in _OPAQUE


def _is_in_python(cls: type) -> bool:
    """Return whether a class is built in or written in Python: then Python sees all that its objects hold."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    return cls.__module__ == "builtins" or file.endswith(".py")


def _of_this_thread(each: Any) -> tuple[Any, ...]:
    """Return the object behind a thread-local object in this thread."""
    if isinstance(each, ContextVar):
        return (each.get(None),)
    return (vars(each),) if isinstance(each, threading.local) else ()


def _hidden(each: Any) -> Iterator[Any]:
    """Yield what an object holds that the garbage collector does not see."""
    if isinstance(each, np.ndarray):
        yield (each.shape, each.dtype.str, hash(each.tobytes()))
    elif isinstance(each, np.random.Generator):
        yield repr(each.bit_generator.state)
    elif isinstance(each, np.random.RandomState):
        yield repr(each.get_state())
    elif isinstance(each, random.Random) and not isinstance(each, random.SystemRandom):
        yield each.getstate()
    elif isinstance(each, itertools.count):
        yield repr(each)
    elif isinstance(each, GeneratorType):
        yield each.gi_frame.f_lasti if each.gi_frame else None
    elif hasattr(type(each), "locked"):
        yield each.locked()
    elif isinstance(each, (bytearray, memoryview)):
        yield bytes(each)


def _values_of(space: dict[str, Any]) -> list[Any]:
    return list(space.values())


def _open_files() -> list[str]:
    return sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are enough


def _memory() -> int:
    """Return the bytes of memory that this process does not share."""
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - read after each task
        _, resident, shared, *_ = map(int, file.read().split())
    return (resident - shared) * _PAGE
