"""Read the parameters of a kernel from its source in CUDA C++: names, types, pointers and constants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Parameter", "parameters_of"]

_TYPES: Final = {
    "bool": "?", "char": "i1", "signed char": "i1", "int8_t": "i1", "unsigned char": "u1", "uint8_t": "u1",
    "short": "i2", "int16_t": "i2", "unsigned short": "u2", "uint16_t": "u2",
    "int": "i4", "signed int": "i4", "int32_t": "i4", "unsigned": "u4", "unsigned int": "u4", "uint32_t": "u4",
    "long": "i8", "long long": "i8", "int64_t": "i8", "long long int": "i8", "ptrdiff_t": "i8",
    "unsigned long": "u8", "unsigned long long": "u8", "uint64_t": "u8", "size_t": "u8",
    "half": "f2", "__half": "f2", "float": "f4", "double": "f8",
}  # fmt: skip
_COMMENTS: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_QUALIFIERS: Final = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|restrict|__grid_constant__)\b")


class Parameter(Struct, frozen=True):
    """One parameter. ``dtype`` is its type, or that of a pointer's elements; None if NumPy does not have the type."""

    name: str
    dtype: np.dtype[Any] | None = None
    is_pointer: bool = False
    is_constant: bool = False


def parameters_of(source: str, kernel: str) -> tuple[Parameter, ...] | None:
    """Return the parameters of a kernel; None if the source does not contain it."""
    text = _COMMENTS.sub(" ", source)
    head = re.search(rf"__global__[^;{{}}]*?\b{re.escape(kernel.partition('<')[0])}\s*\(", text)
    if head is None:
        return None
    return tuple(_parameter(each) for each in _split(text[head.end() :]))


def _split(text: str) -> Iterator[str]:
    """Yield the texts between the commas, up to the parenthesis that closes the list."""
    depth, begin = 0, 0
    for place, character in enumerate(text):
        if depth == 0 and character in ",)":
            if text[begin:place].strip() not in {"", "void"}:
                yield text[begin:place]
            if character == ")":
                return
            begin = place + 1
        depth += (character in "(<[{") - (character in ")>]}")


def _parameter(text: str) -> Parameter:
    declared, bracket, _ = text.partition("=")[0].replace("&", " ").replace("(", " ").replace(")", " ").partition("[")
    pointee, star, _ = declared.partition("*")
    is_constant = bool(star or bracket) and re.search(r"\bconst\b", pointee) is not None
    name = re.findall(r"\w+", declared)[-1]
    words = _QUALIFIERS.sub(" ", pointee).replace("std::", "").split()  # the last word may be the parameter's name
    code = _TYPES.get(" ".join(words)) or _TYPES.get(" ".join(words[:-1]))
    return Parameter(name, None if code is None else np.dtype(code), bool(star or bracket), is_constant)
