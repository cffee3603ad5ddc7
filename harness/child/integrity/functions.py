"""Find the Python functions that an object runs, also behind decorators, properties and closures."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from harness.process import loaded_files

_DESCRIPTORS = (classmethod, staticmethod, property)


def is_code(value: object) -> bool:
    """Return whether an object is callable, or is a descriptor with functions, such as a property."""
    return callable(value) or isinstance(value, _DESCRIPTORS)


def functions_in(values: Iterable[Any]) -> Iterator[FunctionType]:
    """Yield the functions that objects run, each once: themselves, and those that they wrap or close over."""
    waiting, visited = [each for each in values if is_code(each) and not isinstance(each, type)], set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in visited:
            continue
        visited.add(id(value))
        if isinstance(value, FunctionType):
            yield value
            if value.__closure__ is not None:
                waiting += [cell.cell_contents for cell in cells_of(value)]
        waiting += filter(is_code, _below(value))


def cells_of(function: FunctionType) -> Iterator[CellType]:
    """Yield the variables that a function closes over and that hold a callable object."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # the variable has no value yet
            if callable(cell.cell_contents):
                yield cell


def words_of(code: CodeType) -> Iterator[str]:
    """Yield the global names and attributes that code uses, and those of the code nested in it."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from words_of(each)


def used_by(functions: Iterable[Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the variables that functions use by name, and those that the user's functions among these use in turn.

    A variable is yielded as a dictionary and a name in it. It holds a function, a module or a constant. The dictionary
    is that of the function's module, or of a module that the function names. A constant that is None is left out, since
    it may get its value later.
    """
    waiting, visited = [*functions_in(functions)], set[FunctionType]()
    while waiting:
        function = waiting.pop()
        if function in visited or loaded_files.is_installed(function.__code__.co_filename):
            continue
        visited.add(function)
        words, names = {*words_of(function.__code__)}, function.__globals__
        modules = [vars(value) for word in words if isinstance(value := names.get(word), ModuleType)]
        yield from ((space, word) for space in (names, *modules) for word in words if _counts(word, space.get(word)))
        waiting += functions_in(map(names.get, words))


def _counts(name: str, value: object) -> bool:
    return is_code(value) or isinstance(value, ModuleType) or (name.isupper() and value is not None)


def _below(value: Any) -> tuple[Any, ...]:
    """Return the functions right behind an object: those that it wraps or that a descriptor calls."""
    if isinstance(value, FunctionType):
        return (getattr(value, "__wrapped__", None),)  # vars() would create a dictionary for each function
    if isinstance(value, property):
        return (value.fget, value.fset, value.fdel)
    if isinstance(value, (classmethod, staticmethod, MethodType)):
        return (value.__func__,)
    if isinstance(value, functools.partial):
        return (value.func,)
    if not isinstance(value, type) and type(value).__dictoffset__:
        return (vars(value).get("__wrapped__"),)
    return ()
