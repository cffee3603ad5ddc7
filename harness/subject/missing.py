"""Recognize packages that user code needs and this machine lacks, which is no defect of the plugin."""

from __future__ import annotations

import importlib.util
import re
import sys
from typing import Any

from reference_runtime.instruments import NeedsPackage, text_of

#: Packages whose subpackages come from several distributions, so one of these may be missing.
_SHARED = frozenset({"cuda", "nvidia"})


def missing_package(error: BaseException | None) -> str:
    """Return a sentence with the missing package, if an error has this cause; empty for any other error.

    A missing module in an installed package is the plugin's own mistake. The same holds for a missing operator in an
    existing namespace of torch. A library that imports a package late may raise another error, with the package's name
    in its text.
    """
    if isinstance(error, NeedsPackage):
        return str(error)
    name = _module(error) or _operators(error) or _reported(error)
    return f"{name} is missing on this machine: install the package that has it to judge this" if name else ""


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
    except ModuleNotFoundError:  # a bridge refuses modules that the host device cannot have
        return False


def _operators(error: BaseException | None) -> str:
    """Return the namespace of a missing torch operator, if no imported package has registered operators in it."""
    namespace: Any = getattr(error, "obj", None)
    if not isinstance(error, AttributeError) or type(namespace).__name__ != "_OpNamespace":
        return ""
    torch = sys.modules["torch"]
    known = torch._C._dispatch_get_all_op_names()  # noqa: SLF001 - torch offers nothing public that lists them
    return "" if any(each.startswith(f"{namespace.name}::") for each in known) else f"torch.ops.{namespace.name}"
