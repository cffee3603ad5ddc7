"""Detect whether a plugin keeps state from one call to the next.

Theory. One execution changes another only through something that both reach: an object's attributes, a class, a module.
Here these are compared before and after each callback. A flag that is raised is soon lowered again. So each line is
followed by a check whether names that all objects share have new values. Once something has changed, there is no need
to look any more. State that cannot be inspected, such as memory of a device or a lock, counts as kept.
"""

from __future__ import annotations

import enum
import functools
import operator
import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.subject.creators import is_class
from reference_runtime import instruments

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

    from harness.subject.subject import Subject

#: Values that never change.
_FIXED = (
    *(type(None), bool, int, float, complex, str, bytes, range, slice, enum.Enum, np.generic, np.dtype),
    *(type, types.ModuleType, types.BuiltinFunctionType, types.GetSetDescriptorType, types.MemberDescriptorType),
)
#: What stands for other values, and the names of those.
_HOLDERS = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    types.MethodType: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.partial: ("func", "args", "keywords"),
}
#: Elements that are compared; what has more of them counts as kept.
_MOST = 1 << 10
#: How deep values lie in each other at the most.
_DEEP = 6
#: Names that Python and the bindings manage.
_MANAGED = ("__", "_pybind11", "_abc_")


class _OpaqueError(Exception):
    """A value cannot be looked into."""


class KeptState:
    """Compares what a plugin's objects, classes and modules hold; ``found`` says that something changes, or may."""

    def __init__(self, creator: Any) -> None:
        self.found = False
        self._modules: dict[str, dict[str, Any]] = {}
        self._shared: dict[str, Mapping[str, Any]] = {"the creator": _attributes(creator)}
        self._held: list[_Held] = []
        self._running: list[tuple[Any, _Held]] = []
        self._add_classes(type(creator))

    def add(self, module: dict[str, Any]) -> None:
        """Look at the globals of a module from now on."""
        name = str(module.get("__name__"))
        if name not in self._modules and not self.found:
            self._modules[name] = self._shared[name] = module
            own = [value for value in module.values() if is_class(value) and value.__module__ == name]
            self._shared.update({f"{name}.{cls.__qualname__}": vars(cls) for cls in own})
            self._begin_anew()

    def begin(self, receiver: Any) -> None:
        """Take down what an object holds before a callback."""
        if not self.found:
            self._add_classes(type(receiver))
            self._running.append((receiver, self._take(_attributes(receiver))))

    def end(self, receiver: Any) -> None:
        """Compare what it holds after it."""
        if not self.found:
            self.look(deep=True)
            self.found = self.found or any(held.has_changed() for of, held in self._running if of is receiver)
            self._running = [each for each in self._running if each[0] is not receiver]

    def look(self, *, deep: bool = False) -> None:
        """Compare what all objects share: which values there are, or, ``deep``, what these hold, too."""
        if not self.found:
            self.found = any(held.has_changed() if deep else held.has_others() for held in self._held)

    def _add_classes(self, of: type) -> None:
        for cls in of.__mro__:
            name = f"{cls.__module__}.{cls.__qualname__}"
            if name not in self._shared and _is_own(cls):
                self._shared[name] = vars(cls)
                self.add(vars(sys.modules[cls.__module__]))
                self._begin_anew()

    def _begin_anew(self) -> None:
        """Take down everything again: what values are looked into depends on which modules are known."""
        self._held = [self._take(names) for names in self._shared.values()]
        self._running = [(receiver, self._take(_attributes(receiver))) for receiver, _ in self._running]

    def _take(self, names: Mapping[str, Any]) -> _Held:
        held = _Held(names, self._modules)
        self.found = self.found or held.is_opaque
        return held


class _Held:
    """Hold the values that some names once had."""

    def __init__(self, names: Mapping[str, Any], own: Collection[str]) -> None:
        self._names = names
        self._own = own
        self._values = list(names.values())
        mine = [value for name, value in names.items() if not name.startswith(_MANAGED)]
        self._changing = [value for value in mine if not _is_fixed(value)]
        self._before = self._told()
        self.is_opaque = self._before is None

    def has_others(self) -> bool:
        """Say whether the names have other values now."""
        values = list(self._names.values())
        return len(values) != len(self._values) or not all(map(operator.is_, values, self._values))

    def has_changed(self) -> bool:
        """Say whether the names have other values, or those values hold something else."""
        return self.has_others() or self._told() != self._before

    def _told(self) -> Hashable:
        try:
            return tuple(_value(value, self._own) for value in self._changing)
        except (_OpaqueError, RuntimeError):  # a dictionary that another thread changes raises a RuntimeError
            return None


def look_at_what_is_kept(subject: Subject) -> Callable[[], None]:
    """Return what compares what all objects share, where that is watched; else it does nothing."""
    kept: KeptState | None = subject.memory.get(KeptState)
    return (lambda: None) if kept is None else kept.look


def _attributes(of: Any) -> Mapping[str, Any]:
    return getattr(of, "__dict__", {})


def _is_own(cls: type) -> bool:
    """Say whether a class is neither Python's nor of the bindings."""
    foreign = cls.__module__.partition(".")[0] in sys.stdlib_module_names
    return not foreign and not instruments.is_bound(cls) and cls.__module__ in sys.modules


def _is_fixed(value: Any) -> bool:
    """Return whether a value never changes, as most values in classes and modules."""
    if isinstance(value, types.FunctionType):
        is_plain = value.__closure__ is None and value.__kwdefaults__ is None and not vars(value)
        return is_plain and _is_fixed(value.__defaults__)
    for kind, names in _HOLDERS.items():
        if isinstance(value, kind):
            return all(_is_fixed(getattr(value, name)) for name in names)
    if isinstance(value, tuple):
        return all(map(_is_fixed, value))
    return isinstance(value, _FIXED) or instruments.is_bound(type(value))


def _value(value: Any, own: Collection[str], deep: int = _DEEP) -> Hashable:
    """Return a value that is equal only while the object is unchanged; ``own`` are the modules to look into.

    Raises:
        _OpaqueError: It cannot be looked into.
    """
    if isinstance(value, _FIXED) or instruments.is_bound(type(value)):
        return value if isinstance(value, (int, float, str, bytes)) else id(value)
    if deep == 0:
        raise _OpaqueError
    return id(type(value)), *(_value(each, own, deep - 1) for each in _parts(value, own))


def _parts(value: Any, own: Collection[str]) -> Iterable[Any]:
    """Return what a value consists of."""
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        return cells, value.__defaults__, value.__kwdefaults__, vars(value)
    for kind, names in _HOLDERS.items():
        if isinstance(value, kind):
            return [getattr(value, name) for name in names]
    if hasattr(value, "cache_info"):
        return tuple(value.cache_info())
    if type(value).__module__ in own and hasattr(value, "__dict__") and "__slots__" not in vars(type(value)):
        return [*vars(value), *vars(value).values()]
    return _elements(value)


def _elements(value: Any) -> Iterable[Any]:
    if isinstance(value, dict) and len(value) <= _MOST:
        return [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)) and len(value) <= _MOST:
        return value
    if isinstance(value, np.ndarray) and value.size <= _MOST and not value.dtype.hasobject:
        return value.shape, value.tobytes()
    raise _OpaqueError
