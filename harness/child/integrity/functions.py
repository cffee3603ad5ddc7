"""Find the Python code that an object runs: functions below decorators, properties, closures."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from harness.process import loaded_files

_DESCRIPTORS = (classmethod, staticmethod, property)


def is_code(value: object) -> bool:
    """Return whether an object is callable, or runs code if it is read from a class."""
    return callable(value) or isinstance(value, _DESCRIPTORS)


def functions_in(values: Iterable[Any]) -> Iterator[FunctionType]:
    """Yield the functions that objects run, each once: themselves, and what they decorate, wrap and close over."""
    waiting, met = [each for each in values if is_code(each) and not isinstance(each, type)], set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        if isinstance(value, FunctionType):
            yield value
            if value.__closure__ is not None:
                waiting += [cell.cell_contents for cell in cells_of(value)]
        waiting += filter(is_code, _below(value))


def cells_of(function: FunctionType) -> Iterator[CellType]:
    """Yield the variables that a function closes over, and that hold what can be called."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # it is empty yet
            if callable(cell.cell_contents):
                yield cell


def words_of(code: CodeType) -> Iterator[str]:
    """Yield the names that code, and the code in it, looks up."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from words_of(each)


def used_by(functions: Iterable[Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield what functions use by name, and in turn what functions of the user's among that use.

    Each is a dictionary and a name in it. It is a function, module or constant, in the module of a function or in a
    module named there. What is None is left out: it is filled when it is first used.
    """
    waiting, met = [*functions_in(functions)], set[FunctionType]()
    while waiting:
        function = waiting.pop()
        if function in met or loaded_files.is_installed(function.__code__.co_filename):
            continue
        met.add(function)
        words, names = {*words_of(function.__code__)}, function.__globals__
        modules = [vars(value) for word in words if isinstance(value := names.get(word), ModuleType)]
        yield from ((space, word) for space in (names, *modules) for word in words if _counts(word, space.get(word)))
        waiting += functions_in(map(names.get, words))


def _counts(name: str, value: object) -> bool:
    return is_code(value) or isinstance(value, ModuleType) or (name.isupper() and value is not None)


def _below(value: Any) -> tuple[Any, ...]:
    """Return what a function wraps, or what the object of a decorator calls; others may answer to any name."""
    if isinstance(value, FunctionType):
        return (getattr(value, "__wrapped__", None),)  # its dictionary would be made for the question
    if isinstance(value, property):
        return (value.fget, value.fset, value.fdel)
    if isinstance(value, (classmethod, staticmethod, MethodType)):
        return (value.__func__,)
    if isinstance(value, functools.partial):
        return (value.func,)
    if not isinstance(value, type) and type(value).__dictoffset__:
        return (vars(value).get("__wrapped__"),)
    return ()
