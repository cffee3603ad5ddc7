"""Find where a plugin's callbacks are written, so that a report can point at the method concerned."""

from __future__ import annotations

import contextlib
import dis
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any, Final

from harness.contract.language import Language
from harness.subject.creators import CREATORS, definition_of, is_class
from reference_runtime.instruments import is_bound

#: Attributes of plugins and creators that TensorRT reads.
_READ: Final = {"plugin_name", "plugin_type", "plugin_version", "plugin_namespace", "num_outputs", "field_names"}
#: Callbacks with a different name in C++.
_IN_CPP: Final = {"get_output_shape": "get_output_dimensions"}


def callback_places(creator: Any) -> dict[str, dict[str, Any]]:
    """Return ``{"file", "line"}`` by callback, for a creator and the classes whose objects it makes; call none of them.

    The creator's attributes and the names in its code show which plugin classes it uses. Their code can name further
    plugin classes. If there are none, all plugin classes of the creator's modules count. Of a class and its base class,
    only the derived class counts. A callback that two classes define is left out. Callbacks in C++ are found by the
    debug information of their library.
    """
    definition = definition_of(creator)
    if definition is not None:  # the callbacks are TensorRT's, and call these functions of the user
        functions = {
            "register": definition.register_func,
            "autotune": definition.autotune_func,
            "impl": definition.impl_func,
            "aot_impl": definition.aot_impl_func,
            "enqueue": definition.impl_func or definition.aot_impl_func,
        }
        by_name = {name: _place(function) for name, function in functions.items()}
        return {name: place for name, place in by_name.items() if place}
    if getattr(creator, "__written_in__", "") == Language.CPP.value:
        return _places_in_library(creator)
    places: dict[str, list[dict[str, Any]]] = {}
    for cls in _classes(type(creator)):
        for name, place in _callbacks(cls):
            if place not in places.setdefault(name, []):
                places[name].append(place)
    callbacks = {name: each[0] for name, each in sorted(places.items()) if len(each) == 1}
    return {**_attributes(type(creator)), **callbacks}


def _attributes(creator: type) -> dict[str, dict[str, Any]]:
    """Return where attributes that TensorRT reads are assigned: those of the plugin before those of the creator."""
    places: dict[str, dict[str, Any]] = {}
    for cls in sorted(_classes(creator), key=lambda each: each is creator):
        for function in (value for base in _written(cls) for value in vars(base).values()):
            for name, place in _assigned(getattr(function, "__code__", None)):
                places.setdefault(name, place)
    return places


def _assigned(code: CodeType | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the attributes that a function assigns and that TensorRT reads, each with its file and line."""
    if code is None or code.co_filename.startswith("<"):
        return
    line = code.co_firstlineno
    starts = dict(dis.findlinestarts(code))
    for instruction in dis.get_instructions(code):
        line = starts.get(instruction.offset) or line
        if instruction.opname == "STORE_ATTR" and instruction.argval in _READ:
            yield instruction.argval, {"file": code.co_filename, "line": line}


def _places_in_library(creator: Any) -> dict[str, dict[str, Any]]:
    """Return the places of a creator's methods, and of methods that only one other class of its library defines."""
    own, places = creator.class_name, creator.objects.source_places
    by_method: dict[str, set[tuple[str, int]]] = {}
    for (cls, method), place in places.items():
        if cls == own or (own, method) not in places:
            by_method.setdefault(method.lower(), set()).add(place)
    proxy = next(cls for cls in type(creator).__mro__ if "__written_in__" in vars(cls))
    methods: dict[str, dict[str, Any]] = {}
    for name in sorted({name for cls in _derived(proxy) for name, _ in _callbacks(cls)}):
        known = by_method.get(_IN_CPP.get(name, name).replace("_", ""), set())
        if len(known) == 1:
            methods[name] = dict(zip(("file", "line"), *known, strict=True))
    return methods


def _derived(cls: type) -> list[type]:
    below: list[type] = cls.__subclasses__()
    return below + [each for one in below for each in _derived(one)]


def _classes(creator: type) -> list[type]:
    scopes = [vars(sys.modules[cls.__module__]) for cls in creator.__mro__ if cls.__module__ in sys.modules]
    known = {name: value for scope in scopes for name, value in scope.items() if _is_made(value)}
    classes = [creator]
    for cls in classes:  # which grows meanwhile
        values = [value for base in _written(cls) for value in vars(base).values()]
        codes = (getattr(value, "__code__", None) for value in values)
        named = [known[name] for code in codes for name in getattr(code, "co_names", ()) if name in known]
        held = [value for value in (*values, *_enclosed(values)) if _is_made(value)]
        classes += dict.fromkeys(each for each in [*held, *named] if each not in classes)
    if len(classes) == 1:
        classes += dict.fromkeys(known.values())
    return [cls for cls in classes if not any(other is not cls and issubclass(other, cls) for other in classes)]


def _enclosed(functions: Iterable[Any]) -> Iterator[Any]:
    """Yield the values that functions close over, such as a plugin class in a function that makes creators."""
    for function in functions:
        for cell in getattr(function, "__closure__", None) or ():
            with contextlib.suppress(ValueError):  # the variable has no value yet
                yield cell.cell_contents


def _is_made(value: Any) -> bool:
    """Return whether a value is a user's class that derives from a class of TensorRT's plugins or capabilities."""
    return (
        is_class(value)
        and not is_bound(value)
        and not issubclass(value, CREATORS)
        and any(map(is_bound, value.__mro__))
    )


def _callbacks(cls: type) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the callbacks that a class overrides, each with its file and line."""
    offered = {name for base in cls.__mro__ if is_bound(base) for name in vars(base) if not name.startswith("_")}
    overridden: Mapping[str, Any] = {
        name: value for base in reversed(_written(cls)) for name, value in vars(base).items()
    }
    for name in sorted(offered & overridden.keys()):
        place = _place(overridden[name])
        if place:
            yield name, place


def _written(cls: type) -> list[type]:
    return [base for base in cls.__mro__ if base is not object and not is_bound(base)]


def _place(function: Any) -> dict[str, Any]:
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    if code is None or code.co_filename.startswith("<"):
        return {}
    return {"file": code.co_filename, "line": code.co_firstlineno}
