"""What a task must leave as it was for the next one to share its process.

Theory: many rules can be judged in one process as long as none can notice what ran before it. So after each task the
process is compared with what it was before the first: the user's modules with all that their variables, classes and
closures hold; names that anybody put into the modules that plugins share; settings, threads, processes, open files and
memory. Whatever differs, or cannot be told, ends the process, and the next task gets a new one.
"""

from __future__ import annotations

import builtins
import gc
import itertools
import math
import os
import random
import resource
import sys
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.observation.global_settings import settings_of_process
from harness.process import linux, loaded_files
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ProcessState"]

#: Objects that are looked at; to look at more takes longer than a new process.
MOST_OBJECTS = 20_000
#: Bytes that a process may grow by.
MOST_GROWTH = 2**28
_VALUES = (int, float, complex, bool, str, bytes, type(None), type(...), range)
_UNSEEN = (ModuleType, CodeType, FrameType, BuiltinFunctionType)
#: Libraries whose objects keep state where Python does not see it.
_OPAQUE = {"_ctypes", "ctypes", "cuda", "cupy", "numba", "pycuda", "torch", "triton"}
_PAGE = resource.getpagesize()


class ProcessState:
    """A process as it is before its first task."""

    def __init__(self, module: str) -> None:
        """Note it; ``module`` is the user's, by its name in ``sys.modules``."""
        self._module = module
        self._known = len(sys.modules)
        self._own = loaded_files.modules_by_file([module])
        self._shared = [each for name in ("tensorrt", "cupy") if (each := sys.modules.get(name)) is not None]
        self._before = self._now()
        self._memory = _memory()

    def is_unchanged(self) -> bool:
        """Whether the next task finds what the first one found."""
        gc.collect()
        if self._before is None or self._has_more_modules() or _memory() - self._memory > MOST_GROWTH:
            return False
        return self._now() == self._before

    def _has_more_modules(self) -> bool:
        """Whether more of the user's modules are loaded; modules of libraries are the same for whoever comes next."""
        known, self._known = self._known, len(sys.modules)
        return known != self._known and loaded_files.modules_by_file([self._module]).keys() != self._own.keys()

    def _now(self) -> list[Any] | None:
        """The state as values that can be compared; None if there is too much of it, or some cannot be seen."""
        try:
            creators = [event.creator for event in get_plugin_registry().events]
            seen = list(_Contents(list(self._own.values()), creators).seen())
        except _CannotTellError:
            return None
        names = [[(name, id(value)) for name, value in vars(each).items()] for each in (*self._shared, builtins)]
        process = (linux.number_of_threads(), linux.children_of(os.getpid()), _open_files())
        return [seen, names, settings_of_process(), process]


class _CannotTellError(Exception):
    """There is too much, or something that Python cannot see."""


class _Contents:
    """What the variables of some modules lead to, without what belongs to other modules."""

    def __init__(self, modules: list[ModuleType], creators: list[Any]) -> None:
        self._names = {module.__name__ for module in modules}
        self._waiting: list[Any] = [*map(vars, modules), *creators]
        self._places: dict[int, int] = {id(vars(builtins)): 0}
        self._kept: list[Any] = []  # alive, so that no other object gets its address meanwhile

    def seen(self) -> Iterator[Any]:
        """Yield each value, and of each object its type and, if it was there before, its place."""
        while self._waiting:
            each = self._waiting.pop()
            if type(each) in _VALUES:
                yield repr(each) if isinstance(each, float) and math.isnan(each) else each
            elif id(each) in self._places:
                yield ("again", self._places[id(each)])
            else:
                self._places[id(each)] = len(self._places)
                self._kept.append(each)
                if len(self._places) > MOST_OBJECTS:
                    raise _CannotTellError
                yield type(each)
                yield from self._inside(each)

    def _inside(self, each: Any) -> Iterator[Any]:
        if isinstance(each, _UNSEEN):
            return
        if isinstance(each, (type, FunctionType)) and each.__module__ not in self._names:
            return
        if type(each).__module__.partition(".")[0] in _OPAQUE:
            raise _CannotTellError
        if isinstance(each, dict):
            yield len(each)
            self._waiting += each.keys()
            self._waiting += each.values()
            return
        yield from _hidden(each)
        self._waiting += gc.get_referents(each)


def _hidden(each: Any) -> Iterator[Any]:
    """Yield what an object holds that the garbage collector does not see."""
    if isinstance(each, np.ndarray):
        yield (each.shape, each.dtype.str, hash(each.tobytes()))
    elif isinstance(each, np.random.Generator):
        yield repr(each.bit_generator.state)
    elif isinstance(each, np.random.RandomState):
        yield repr(each.get_state())
    elif isinstance(each, random.Random):
        yield each.getstate()
    elif isinstance(each, itertools.count):
        yield repr(each)
    elif isinstance(each, GeneratorType):
        yield each.gi_frame.f_lasti if each.gi_frame else None
    elif hasattr(type(each), "locked"):
        yield each.locked()
    elif isinstance(each, (bytearray, memoryview)):
        yield bytes(each)


def _open_files() -> list[str]:
    return sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are enough


def _memory() -> int:
    """Bytes of memory that this process has of its own."""
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - read after each task
        _, resident, shared, *_ = map(int, file.read().split())
    return (resident - shared) * _PAGE
