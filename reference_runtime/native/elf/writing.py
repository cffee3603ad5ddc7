"""Write stand-ins: shared libraries whose functions jump to callbacks.

Theory. A library that was linked against ``libnvinfer.so.10`` is loaded only if a library of that name exists. A
stand-in has the minimum: headers, a dynamic section, a table of symbols, and two pages, for code and data. Each
function jumps through its entry of the table ``standin_table``, which is filled with addresses after loading. No
compiler, linker or header is involved, and no page is both writable and executable.

A ctypes callback cannot return a structure. A C++ function returns a structure of 16 bytes in two registers. So the
functions ``standin_pair_N`` return two words of the table in these registers.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from reference_runtime.native.elf.reading import X86_64

TABLE: Final = "standin_table"
_PAIR: Final = "standin_pair_"
_CODE_FLAGS, _DATA_FLAGS = 5, 6
_PAGES: Final = {X86_64: 0x1000}
_OTHER_PAGE: Final = 0x10000
_CODE_BYTES: Final = 32


def pair_name(number: int) -> str:
    """Return the name of the function that returns a pair of words."""
    return f"{_PAIR}{number}"


class _Strings:
    """The file's table of strings."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")

    def add(self, text: str) -> int:
        place = len(self.data)
        self.data += text.encode() + b"\0"
        return place


class _Layout(Struct):
    """Assigns places in the file, one after the other."""

    end: int

    def place(self, size: int, align: int = 8) -> int:
        start = (self.end + align - 1) // align * align
        self.end = start + size
        return start


def stand_in(
    soname: str,
    functions: Sequence[str],
    *,
    machine: int,
    versions: Mapping[str, str] | None = None,
    pairs: int = 0,
) -> bytes:
    """Return the content of a shared library that exports ``functions``.

    ``versions`` has the versions of symbols, by the functions' names. The table has one entry for each function. Two
    entries for each pair follow.
    """
    versions = {name: version for name, version in (versions or {}).items() if version}
    names = [*functions, *map(pair_name, range(pairs)), TABLE]
    strings = _Strings()
    name_at, soname_at = [strings.add(name) for name in names], strings.add(soname)
    version_at = {version: strings.add(version) for version in dict.fromkeys(versions.values())}
    page = _PAGES.get(machine, _OTHER_PAGE)
    layout = _Layout(64 + 56 * 4)
    hash_at = layout.place(4 * (len(names) + 4))
    symbols_at = layout.place(24 * (len(names) + 1))
    strings_at = layout.place(len(strings.data))
    numbers_at = layout.place(2 * (len(names) + 1))
    defined_at = layout.place(28 * (1 + len(version_at)))
    code_at = layout.place(_CODE_BYTES * (len(names) - 1), 16)
    end_of_code = layout.end
    data_at = layout.place(0, page)
    dynamic_at = layout.place(16 * 12)
    table_at = layout.place(8 * (len(functions) + 2 * pairs + 1))
    entries = [table_at + 8 * number for number in range(len(functions))]
    entries += [table_at + 8 * (len(functions) + 2 * number) for number in range(pairs)]
    code = b"".join(
        _code(machine, code_at + _CODE_BYTES * number, entry, is_pair=number >= len(functions))
        for number, entry in enumerate(entries)
    )
    places = [*range(code_at, code_at + len(code), _CODE_BYTES), table_at]
    dynamic = {14: soname_at, 4: hash_at, 5: strings_at, 6: symbols_at, 10: len(strings.data), 11: 24}
    if version_at:
        dynamic |= {0x6FFFFFF0: numbers_at, 0x6FFFFFFC: defined_at, 0x6FFFFFFD: 1 + len(version_at)}
    numbers = {version: 2 + place for place, version in enumerate(version_at)}
    image = bytearray(layout.end)
    for place, content in (
        (0, _header(machine, page, end_of_code, (data_at, dynamic_at, layout.end))),
        (hash_at, _hash_table(len(names) + 1)),
        (symbols_at, _symbols(name_at, places)),
        (strings_at, bytes(strings.data)),
        (numbers_at, struct.pack(f"<{len(names) + 1}H", 0, *(numbers.get(versions.get(n, ""), 1) for n in names))),
        (defined_at, _definitions([(soname, soname_at), *version_at.items()])),
        (code_at, code),
        (dynamic_at, b"".join(struct.pack("<qQ", *each) for each in dynamic.items())),
    ):
        image[place : place + len(content)] = content
    return bytes(image)


def _header(machine: int, page: int, end_of_code: int, data: tuple[int, int, int]) -> bytes:
    begin, dynamic, end = data
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    head += struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, 4, 64, 0, 0)
    for kind, flags, place, size, align in (
        (1, _CODE_FLAGS, 0, end_of_code, page),
        (1, _DATA_FLAGS, begin, end - begin, page),
        (2, _DATA_FLAGS, dynamic, 16 * 12, 8),
        (0x6474E551, _DATA_FLAGS, 0, 0, 16),  # the stack need not be executable
    ):
        head += struct.pack("<IIQQQQQQ", kind, flags, place, place, place, size, size, align)
    return head


def _hash_table(count: int) -> bytes:
    """Return a table with one bucket: all symbols are in one chain."""
    return struct.pack(f"<{count + 3}I", 1, count, count - 1, 0, *range(count - 1))


def _symbols(names: Sequence[int], places: Sequence[int]) -> bytes:
    kinds = [2] * (len(names) - 1) + [1]  # functions, and the table
    made = (
        struct.pack("<IBBHQQ", name, 1 << 4 | kind, 0, 1, place, _CODE_BYTES)
        for name, kind, place in zip(names, kinds, places, strict=True)
    )
    return bytes(24) + b"".join(made)


def _definitions(versions: Sequence[tuple[str, int]]) -> bytes:
    """Return the versions that the library defines, its own name first."""
    made = b""
    for number, (text, place) in enumerate(versions, 1):
        following = 28 if number < len(versions) else 0
        made += struct.pack("<HHHHIII", 1, number == 1, number, 1, _hashed(text.encode()), 20, following)
        made += struct.pack("<II", place, 0)
    return made


def _hashed(name: bytes) -> int:
    """Return the hash that the format prescribes for names of versions."""
    value = 0
    for character in name:
        value = (value << 4) + character
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
    return value


def _code(machine: int, here: int, entry: int, *, is_pair: bool) -> bytes:
    """Return the code of one function, which jumps through an entry of the table, or returns two entries."""
    if machine == X86_64:
        if is_pair:  # endbr64; mov rax, [entry]; mov rdx, [entry + 8]; ret
            made = b"\xf3\x0f\x1e\xfa\x48\x8b\x05" + struct.pack("<i", entry - (here + 11))
            made += b"\x48\x8b\x15" + struct.pack("<i", entry + 8 - (here + 18)) + b"\xc3"
        else:  # endbr64; jmp [entry]
            made = b"\xf3\x0f\x1e\xfa\xff\x25" + struct.pack("<i", entry - (here + 10))
        return made.ljust(_CODE_BYTES, b"\xcc")
    if is_pair:  # ldr x0, entry; ldr x1, entry + 8; ret
        made = struct.pack("<III", _load(0, entry - here), _load(1, entry + 8 - here - 4), 0xD65F03C0)
    else:  # ldr x16, entry; br x16
        made = struct.pack("<II", _load(16, entry - here), 0xD61F0200)
    return made.ljust(_CODE_BYTES, b"\0")


def _load(register: int, distance: int) -> int:
    return 0x58000000 | register | (distance // 4 & 0x7FFFF) << 5
