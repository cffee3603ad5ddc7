"""Detect whether a plugin keeps state from one call to the next.

Theory. One execution can change another only through state that both reach: attributes of an object, a class or a
module. These are compared before and after each callback. A callback may change a flag and change it back. So after
each line, names that all objects share are checked for new values. The first change ends the comparison, because then
the plugin does keep state. State that cannot be inspected, such as device memory or a lock, counts as kept.
"""

from __future__ import annotations

import enum
import functools
import operator
import sys
import types
from typing import TYPE_CHECKING, Any, Final

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
#: Types that wrap other values, with the names of the attributes that hold these.
_HOLDERS = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    types.MethodType: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.partial: ("func", "args", "keywords"),
}
#: The type of a function with a cache.
_CACHE: Final = type(functools.cache(len))
#: The most elements that are compared; a larger container counts as kept state.
_MOST = 1 << 10
#: The most levels of nested values; deeper values count as kept state.
_DEEP = 6
#: Names that Python and the bindings manage.
_MANAGED = ("__", "_pybind11", "_abc_")


class _OpaqueError(Exception):
    """A value cannot be inspected."""


class KeptState:
    """Compares the values in a plugin's objects, classes and modules.

    Attributes:
        may_have_changed: Whether a value has changed, or cannot be inspected.
    """

    def __init__(self, creator: Any) -> None:
        self.may_have_changed = False
        self._modules: dict[str, dict[str, Any]] = {}
        self._shared: dict[str, Mapping[str, Any]] = {"the creator": _attributes(creator)}
        self._held: list[_Held] = []
        self._running: list[tuple[Any, _Held]] = []
        self._add_classes(type(creator))

    def add(self, module: dict[str, Any]) -> None:
        """Compare the globals of a module and of its classes, too, from now on."""
        name = str(module.get("__name__"))
        if name not in self._modules and not self.may_have_changed:
            self._modules[name] = self._shared[name] = module
            own = [value for value in module.values() if is_class(value) and value.__module__ == name]
            self._shared.update({f"{name}.{cls.__qualname__}": vars(cls) for cls in own})
            self._begin_anew()

    def begin(self, receiver: Any) -> None:
        """Record the attributes of an object before a callback."""
        if not self.may_have_changed:
            self._add_classes(type(receiver))
            self._running.append((receiver, self._take(_attributes(receiver))))

    def end(self, receiver: Any) -> None:
        """Compare the attributes of an object after a callback, and all shared values."""
        if not self.may_have_changed:
            self.look(deep=True)
            self.may_have_changed = self.may_have_changed or any(
                held.has_changed() for of, held in self._running if of is receiver
            )
            self._running = [each for each in self._running if each[0] is not receiver]

    def look(self, *, deep: bool = False) -> None:
        """Compare the objects that shared names refer to; if ``deep``, compare the objects' contents, too."""
        if not self.may_have_changed:
            self.may_have_changed = any(held.has_changed() if deep else held.has_others() for held in self._held)

    def _add_classes(self, of: type) -> None:
        for cls in of.__mro__:
            name = f"{cls.__module__}.{cls.__qualname__}"
            if name not in self._shared and _is_own(cls):
                self._shared[name] = vars(cls)
                self.add(vars(sys.modules[cls.__module__]))
                self._begin_anew()

    def _begin_anew(self) -> None:
        """Record all values again: which of them are inspected depends on the modules that are known."""
        self._held = [self._take(names) for names in self._shared.values()]
        self._running = [(receiver, self._take(_attributes(receiver))) for receiver, _ in self._running]

    def _take(self, names: Mapping[str, Any]) -> _Held:
        held = _Held(names, self._modules)
        self.may_have_changed = self.may_have_changed or held.is_opaque
        return held


class _Held:
    """The values that some names had at one moment."""

    def __init__(self, names: Mapping[str, Any], own: Collection[str]) -> None:
        self._names = names
        self._own = own
        self._values = list(names.values())
        unmanaged = [value for name, value in names.items() if not name.startswith(_MANAGED)]
        self._changing = [value for value in unmanaged if not _is_fixed(value)]
        self._before = self._contents()
        self.is_opaque = self._before is None

    def has_others(self) -> bool:
        """Return whether the names have other values now."""
        values = list(self._names.values())
        return len(values) != len(self._values) or not all(map(operator.is_, values, self._values))

    def has_changed(self) -> bool:
        """Return whether the names have other values now, or the contents of the values have changed."""
        return self.has_others() or self._contents() != self._before

    def _contents(self) -> Hashable:
        """Return the contents of the values that can change; None if some cannot be inspected."""
        try:
            return tuple(_value(value, self._own) for value in self._changing)
        except (_OpaqueError, RuntimeError):  # a dictionary that another thread changes raises a RuntimeError
            return None


def look_at_what_is_kept(subject: Subject) -> Callable[[], None]:
    """Return a function that compares the shared state of the plugin's objects; it does nothing if none is recorded."""
    kept: KeptState | None = subject.memory.get(KeptState)
    return (lambda: None) if kept is None else kept.look


def _attributes(of: Any) -> Mapping[str, Any]:
    """Return the attributes of an object. Its own ``__getattr__`` is not called."""
    if not type(of).__dictoffset__:
        return {}
    names: Mapping[str, Any] = object.__getattribute__(of, "__dict__")
    return names


def _is_own(cls: type) -> bool:
    """Return whether a class is neither Python's nor the bindings'."""
    foreign = cls.__module__.partition(".")[0] in sys.stdlib_module_names
    return not foreign and not instruments.is_bound(cls) and cls.__module__ in sys.modules


def _is_fixed(value: Any) -> bool:
    """Return whether a value can never change, like most values in classes and modules."""
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
    """Return a key for the contents of an object, which differs if the object has changed.

    ``own`` has the names of modules. Objects of their classes are inspected.

    Raises:
        _OpaqueError: The object cannot be inspected, or is nested too deep.
    """
    if isinstance(value, _FIXED) or instruments.is_bound(type(value)):
        return value if isinstance(value, (int, float, str, bytes)) else id(value)
    if deep == 0:
        raise _OpaqueError
    return id(type(value)), *(_value(each, own, deep - 1) for each in _parts(value, own))


def _parts(value: Any, own: Collection[str]) -> Iterable[Any]:
    """Return the parts of a value.

    Raises:
        _OpaqueError: The value cannot be inspected.
    """
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        return cells, value.__defaults__, value.__kwdefaults__, vars(value)
    for kind, names in _HOLDERS.items():
        if isinstance(value, kind):
            return [getattr(value, name) for name in names]
    if isinstance(value, _CACHE):
        return tuple(value.cache_info())
    if type(value).__module__ in own and type(value).__dictoffset__ and "__slots__" not in vars(type(value)):
        attributes = _attributes(value)
        return [*attributes, *attributes.values()]
    return _elements(value)


def _elements(value: Any) -> Iterable[Any]:
    if isinstance(value, dict) and len(value) <= _MOST:
        return [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)) and len(value) <= _MOST:
        return value
    if isinstance(value, np.ndarray) and value.size <= _MOST and not value.dtype.hasobject:
        return value.shape, value.tobytes()
    raise _OpaqueError
