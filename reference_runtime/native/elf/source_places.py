"""Find the source lines of a library's functions, by its symbols and its debug information's line table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reference_runtime.native.abi.type_names import demangled
from reference_runtime.native.elf.line_table import rows_of

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

#: A member function as C++ writes it: its class and its name, before the types of its arguments.
_MEMBER: Final = re.compile(r"^(.+)::(\w+)\((?!anonymous namespace\))")
#: TensorRT's own classes: functions that are defined in TensorRT's headers are not the library's code.
_INTERFACE: Final = re.compile(r"nvinfer1::(\w+::)?I[A-Z]\w+$")


def source_places(library: Library) -> dict[tuple[str, str], tuple[str, int]]:
    """Return file and line of each member function, by class and name; the last overload wins.

    The result is empty without debug information, and if the library was stripped. Functions that the compiler
    generated or split off are left out.
    """
    lines: dict[int, tuple[str, int]] = {}
    for row in rows_of(library):
        if row.line:
            lines.setdefault(row.address, (row.file, row.line))
    places = {}
    for name, offset in library.functions.items():
        member = _MEMBER.match(demangled(name)) if offset in lines and "." not in name else None
        if member is not None and not name.startswith("_ZT") and not _INTERFACE.match(member[1]):
            places[member[1], member[2]] = lines[offset]
    return places
