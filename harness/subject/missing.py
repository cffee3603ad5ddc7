"""Recognize packages that user code needs and this machine lacks, which is no defect of the plugin."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import CodeType, ModuleType
from typing import Any

import msgspec

from reference_runtime.instruments import NeedsPackage, text_of

#: Packages whose subpackages come from several distributions, so one of these may be missing.
_SHARED = frozenset({"cuda", "nvidia"})
_OPERATOR = re.compile(r"\w+::\w+")


class _NotImported(msgspec.Struct, frozen=True):
    """A module whose import failed because a package is missing.

    Attributes:
        why: What is missing, in words.
        names: The names and texts in its code, which it would have defined or registered.
        text: The exception's text; a fallback often repeats it.
    """

    why: str
    names: frozenset[str]
    text: str


_not_imported: dict[str, _NotImported] = {}


def record_failed_import(module: str, error: BaseException, code: CodeType, why: str) -> None:
    """Record that a module could not be imported because a package is missing: later errors may be due to it."""
    names = frozenset([*code.co_names, *(each for each in code.co_consts if isinstance(each, str))])
    _not_imported[module] = _NotImported(f"{module} was not imported here: {why}", names, text_of(error))


def missing_package(error: BaseException | None) -> str:
    """Return a sentence with the missing package, if an error has this cause; empty for any other error.

    A missing module in an installed package is the plugin's own mistake. The same holds for a missing operator in an
    existing namespace of torch. A library that imports a package late may raise another error, with the package's name
    in its text.
    """
    if isinstance(error, NeedsPackage):
        return str(error)
    name = _module(error) or _operators(error) or _reported(error)
    if name:
        return f"{name} is missing on this machine: install the package that has it to judge this"
    return next((each.why for each in _not_imported.values() if _is_due_to(each, error)), "")


def _is_due_to(failed: _NotImported, error: BaseException | None) -> bool:
    """Return whether an error misses a name or an operator of the module, or repeats why it was not imported."""
    if error is None:
        return False
    text = text_of(error)
    owner: Any = getattr(error, "obj", None)
    name = getattr(error, "name", None)
    missing_names = set(_OPERATOR.findall(text))
    if isinstance(error, AttributeError) and type(owner).__name__ == "_OpNamespace":
        missing_names.add(f"{owner.name}::{name}")
    elif isinstance(error, NameError) or (isinstance(error, AttributeError) and isinstance(owner, ModuleType | None)):
        missing_names.add(str(name))
    return not failed.names.isdisjoint(missing_names) or (bool(failed.text) and failed.text in text)


def _module(error: BaseException | None) -> str:
    """Return the package that an import did not find; empty for other errors."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    root, *below = error.name.split(".")
    if root in _SHARED and below:
        return f"{root}.{below[0]}"
    return "" if _is_there(root) else root


def _reported(error: BaseException | None) -> str:
    """Return the package that an error names, if the import of this package failed before; else the empty text."""
    if error is None or isinstance(error, (NameError, AttributeError, LookupError)):  # mistakes of the plugin's code
        return ""
    words = {word.strip(".") for word in re.findall(r"[\w.]+", text_of(error))}
    visited = {id(error)}
    before = error.__cause__ or error.__context__  # also behind ``from None``
    while before is not None and id(before) not in visited:
        if (name := _module(before)) in words:
            return name
        visited.add(id(before))
        before = before.__cause__ or before.__context__
    return ""


def _is_there(package: str) -> bool:
    try:
        return package in sys.modules or importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # the bridges' finder refuses modules that the host device cannot have
        return False


def _operators(error: BaseException | None) -> str:
    """Return the namespace of a missing torch operator, if no imported package has registered operators in it."""
    namespace: Any = getattr(error, "obj", None)
    if not isinstance(error, AttributeError) or type(namespace).__name__ != "_OpNamespace":
        return ""
    torch = sys.modules["torch"]
    known = torch._C._dispatch_get_all_op_names()  # noqa: SLF001 - torch offers nothing public that lists them
    return "" if any(each.startswith(f"{namespace.name}::") for each in known) else f"torch.ops.{namespace.name}"
