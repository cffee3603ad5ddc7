"""Find a library's static initialisers, which the loader runs in the order of an array, and reverse that order.

Theory. The compiler makes one function for each source file that has objects with constructors. The linker lists these
functions in the order of the files on its command line. C++ leaves that order open. The array holds addresses, which
are in the file or in a table of relocations. So a copy of the file can have them in another order.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

#: The initialiser of a source file without a priority, as g++ and clang name it.
_OF_A_FILE: Final = re.compile(r"_GLOBAL__sub_I_")


def of_files(library: Library) -> list[str]:
    """Return the names of the source files' initialisers, in the order in which they run; empty if it was stripped."""
    return [name for name, _ in _of_files(library)]


def reversed_order(library: Library) -> bytes:
    """Return the library's file with the source files' initialisers in reverse order; others keep their places."""
    places = [place for _, place in _of_files(library)]
    words = [library.data[place : place + 8] for place in places]
    data = bytearray(library.data)
    for place, word in zip(places, reversed(words), strict=True):
        data[place : place + 8] = word
    return bytes(data)


def _of_files(library: Library) -> list[tuple[str, int]]:
    """Return the name of each source file's initialiser, with the offset in the library's file of its address."""
    names = {address: name for name, address in library.functions.items() if _OF_A_FILE.match(name)}
    initialisers = []
    for place in library.initialisers():
        (address,) = struct.unpack_from("<Q", library.data, place)
        if address in names:
            initialisers.append((names[address], place))
    return initialisers
