"""Read a shared library's file: the libraries it needs, its symbols, its build id. None of its code runs."""

from __future__ import annotations

import functools
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

X86_64: Final = 62
AARCH64: Final = 183
_LOAD, _DYNAMIC, _NOTE = 1, 2, 4
_NEEDED, _HASH, _STRINGS, _SYMBOLS, _SONAME, _GNU_HASH, _NEEDS, _NEED_COUNT, _VERSIONS = (
    1, 4, 5, 6, 14, 0x6FFFFEF5, 0x6FFFFFFE, 0x6FFFFFFF, 0x6FFFFFF0,
)  # fmt: skip
_JUMPS, _JUMP_BYTES, _RELOCATIONS, _RELOCATION_BYTES = 23, 2, 7, 8
_INITIALISERS, _INITIALISER_BYTES = 25, 27
_EXECUTABLE: Final = 1
_GLOBAL, _WEAK = 1, 2
_EXPORTED: Final = {1, 2, 10}
_VARIABLE, _FUNCTION = 1, 2
_SYMBOL_TABLE: Final = 2
_NO_BITS: Final = 8
_BUILD_ID: Final = 3
_COMPRESSED, _ZLIB, _COMPRESSION_HEADER = 0x800, 1, 24
_SLOT_RELOCATIONS: Final = {X86_64: {6, 7}, AARCH64: {1025, 1026}}
_RELATIVE: Final = {X86_64: 8, AARCH64: 1027}


class NotALibraryError(ValueError):
    """The file is damaged, or is no shared library of 64-bit Linux for x86-64 or AArch64."""


@dataclass(frozen=True)
class Symbol:
    """A symbol; if it is undefined and has a version, ``library`` is the library that defines that version."""

    name: str
    defined: bool
    binding: int
    kind: int = 0
    version: str = ""
    library: str = ""

    @property
    def optional(self) -> bool:
        """Return whether the library can be loaded without the symbol."""
        return self.binding == _WEAK


@dataclass(frozen=True)
class _Segments:
    """The loaded segments: each one's address relative to the library's begin, offset in the file, and length."""

    places: tuple[tuple[int, int, int], ...]

    def offset(self, address: int) -> int:
        for start, offset, length in self.places:
            if start <= address < start + length:
                return address - start + offset
        raise NotALibraryError(f"its address {address:#x} is in no part of the file")


@dataclass(frozen=True)
class Library:
    """The content of a shared library's file."""

    path: Path
    data: bytes = field(repr=False)
    machine: int
    tags: dict[int, list[int]] = field(repr=False)
    build_id: str
    _segments: _Segments = field(repr=False)

    @functools.cached_property
    def needed(self) -> tuple[str, ...]:
        """Return the names of the libraries that it needs (``DT_NEEDED``)."""
        return tuple(map(self._string, self.tags.get(_NEEDED, [])))

    @functools.cached_property
    def soname(self) -> str:
        """Return the library's own name (``DT_SONAME``); empty without one."""
        return self._string(self.tags[_SONAME][0]) if _SONAME in self.tags else ""

    @functools.cached_property
    def undefined(self) -> tuple[Symbol, ...]:
        """Return the symbols that the library needs from other libraries."""
        return tuple(each for each in self._symbols if not each.defined and each.name)

    @functools.cached_property
    def exported(self) -> frozenset[str]:
        """Return the names of the symbols that the library exports."""
        return frozenset(each.name for each in self._symbols if each.defined and each.binding in _EXPORTED)

    @functools.cached_property
    def own_functions(self) -> frozenset[str]:
        """Return the names of the exported functions that are not weak. Those of templates and inline code are weak."""
        mine = (each for each in self._symbols if each.defined and each.binding == _GLOBAL)
        return frozenset(each.name for each in mine if each.kind == _FUNCTION)

    @functools.cached_property
    def functions(self) -> dict[str, int]:
        """Return the offset of each function by name, exported or not; empty if the library was stripped."""
        return {name: offset for name, offset, _ in self._defined(_FUNCTION)}

    @functools.cached_property
    def variables(self) -> tuple[tuple[str, int, int], ...]:
        """Return the name, offset and size of each variable; none if the library was stripped."""
        return tuple(self._defined(_VARIABLE))

    def imports(self) -> Iterator[tuple[str, int]]:
        """Yield the name of each import, with the offset of the word into which the loader writes its address."""
        for table, size in ((_JUMPS, _JUMP_BYTES), (_RELOCATIONS, _RELOCATION_BYTES)):
            for _, offset, info in self._relocations(table, size):
                if info & 0xFFFFFFFF in _SLOT_RELOCATIONS[self.machine]:
                    yield self._name_of(info >> 32), offset

    def _relocations(self, table: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Yield each relocation of a table: its place in the file, the address it sets, its symbol and type."""
        if table not in self.tags:
            return
        start = self._at(table)
        for place in range(start, start + self.tags[size][0] // 24 * 24, 24):
            yield place, *struct.unpack_from("<QQ", self.data, place)

    def initialisers(self) -> Iterator[int]:
        """Yield the offset in the file of the address of each static initialiser, in the order in which they run."""
        if _INITIALISERS not in self.tags:
            return
        (start,), (size,) = self.tags[_INITIALISERS], self.tags[_INITIALISER_BYTES]
        relocations = self._relocations(_RELOCATIONS, _RELOCATION_BYTES)
        addends = {offset: place + 16 for place, offset, info in relocations if info == _RELATIVE[self.machine]}
        for slot in range(start, start + size, 8):
            yield addends[slot] if slot in addends else self._segments.offset(slot)

    def _name_of(self, number: int) -> str:
        (name,) = struct.unpack_from("<I", self.data, self._at(_SYMBOLS) + 24 * number)
        return self._string(name)

    def _at(self, tag: int) -> int:
        return self._segments.offset(self.tags[tag][0])

    def _string(self, offset: int) -> str:
        return _text_at(self.data, self._at(_STRINGS) + offset)

    @functools.cached_property
    def _symbols(self) -> tuple[Symbol, ...]:
        start, versions = self._at(_SYMBOLS), dict(self._version_names())
        symbols = []
        for number in range(1, self._symbol_count()):
            name, info, _, section = struct.unpack_from("<IBBH", self.data, start + 24 * number)
            version, library = "", ""
            if _VERSIONS in self.tags:
                (index,) = struct.unpack_from("<H", self.data, self._at(_VERSIONS) + 2 * number)
                version, library = versions.get(index & 0x7FFF, ("", ""))
            symbols.append(Symbol(self._string(name), section != 0, info >> 4, info & 15, version, library))
        return tuple(symbols)

    def _version_names(self) -> Iterator[tuple[int, tuple[str, str]]]:
        if _NEEDS not in self.tags:
            return
        place = self._at(_NEEDS)
        for _ in range(self.tags[_NEED_COUNT][0]):
            _, count, file, first, following = struct.unpack_from("<HHIII", self.data, place)
            entry = place + first
            for _ in range(count):
                _, _, number, name, after = struct.unpack_from("<IHHII", self.data, entry)
                yield number & 0x7FFF, (self._string(name), self._string(file))
                entry += after
            place += following

    def _symbol_count(self) -> int:
        if _HASH in self.tags:
            (count,) = struct.unpack_from("<4xI", self.data, self._at(_HASH))
            return int(count)
        start = self._at(_GNU_HASH)
        buckets, first, words, _ = struct.unpack_from("<IIII", self.data, start)
        chains = start + 16 + 8 * words
        last = max(struct.unpack_from(f"<{buckets}I", self.data, chains), default=0)
        if last < first:  # no symbol is exported: all symbols are undefined
            return (self._at(_STRINGS) - self._at(_SYMBOLS)) // 24
        while not struct.unpack_from("<I", self.data, chains + 4 * buckets + 4 * (last - first))[0] & 1:
            last += 1
        return int(last) + 1

    def section(self, name: str) -> bytes:
        """Return the content of a section; empty if no section has that name, or if the file omits it."""
        (names,) = struct.unpack_from("<H", self.data, 62)
        sections = self._sections
        for at, kind, flags, _, offset, size, *_ in sections:
            if kind != _NO_BITS and _text_at(self.data, sections[names][4] + at) == name:
                return _uncompressed(self.data[offset : offset + size], flags)
        return b""

    @functools.cached_property
    def code(self) -> tuple[range, ...]:
        """Return the ranges of executable addresses, counted from the beginning of the library."""
        return tuple(
            range(start, start + length)
            for kind, flags, _, start, length in _headers(self.data)
            if kind == _LOAD and flags & _EXECUTABLE
        )

    @functools.cached_property
    def headers(self) -> dict[int, int]:
        """Return each kind of segment, with the flags of its last segment."""
        return {kind: flags for kind, flags, *_ in _headers(self.data)}

    @functools.cached_property
    def _sections(self) -> list[tuple[int, ...]]:
        (start,) = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        return [struct.unpack_from("<IIQQQQIIQQ", self.data, start + size * number) for number in range(count)]

    def _defined(self, kind: int) -> Iterator[tuple[str, int, int]]:
        """Yield the name, offset and size of each symbol of a kind that the table of all symbols defines."""
        sections = self._sections
        for section in sections:
            if section[1] != _SYMBOL_TABLE:
                continue
            strings = sections[section[6]][4]
            for place in range(section[4], section[4] + section[5], 24):
                name, info, _, home, value, size = struct.unpack_from("<IBBHQQ", self.data, place)
                if info & 15 == kind and home and value:
                    yield _text_at(self.data, strings + name), value, size


def read(path: Path) -> Library:
    """Return the content of a shared library's file.

    Raises:
        NotALibraryError: The file is damaged, or is no shared library for x86-64 or AArch64.
        OSError: The file cannot be read.
    """
    try:
        data = path.read_bytes()
        return _parsed(path, data)
    except (struct.error, IndexError, KeyError, ValueError) as error:
        if isinstance(error, NotALibraryError):
            raise
        raise NotALibraryError(f"the file is damaged: {error}") from error


def _parsed(path: Path, data: bytes) -> Library:
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotALibraryError("it is no shared library of a 64-bit Linux")
    (machine,) = struct.unpack_from("<H", data, 18)
    if machine not in _SLOT_RELOCATIONS:
        raise NotALibraryError(f"it is for machine {machine}; x86-64 is {X86_64}, AArch64 is {AARCH64}")
    loads, dynamic, build_id = [], None, ""
    for kind, _, offset, address, length in _headers(data):
        if kind == _LOAD:
            loads.append((address, offset, length))
        elif kind == _DYNAMIC:
            dynamic = (offset, length)
        elif kind == _NOTE:
            build_id = build_id or _build_id(data[offset : offset + length])
    if dynamic is None:
        raise NotALibraryError("it is a program or an object file, and no shared library")
    tags: dict[int, list[int]] = {}
    for place in range(dynamic[0], sum(dynamic), 16):
        tag, value = struct.unpack_from("<qQ", data, place)
        if not tag:
            break
        tags.setdefault(tag, []).append(value)
    return Library(path, data, machine, tags, build_id, _Segments(tuple(loads)))


def _headers(data: bytes) -> Iterator[tuple[int, int, int, int, int]]:
    (start,) = struct.unpack_from("<Q", data, 32)
    (count,) = struct.unpack_from("<H", data, 56)
    for number in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from("<IIQQQQ", data, start + 56 * number)
        yield kind, flags, offset, address, length


def _build_id(notes: bytes) -> str:
    place = 0
    while place + 12 <= len(notes):
        name, length, kind = struct.unpack_from("<III", notes, place)
        held = place + 12 + (name + 3 & ~3)
        if kind == _BUILD_ID and notes[place + 12 : place + 16] == b"GNU\0":
            return notes[held : held + length].hex()
        place = held + (length + 3 & ~3)
    return ""


def _uncompressed(held: bytes, flags: int) -> bytes:
    """Return the content of a section without compression; empty if it was compressed, but not by zlib."""
    if not flags & _COMPRESSED:
        return held
    (kind,) = struct.unpack_from("<I", held)
    return zlib.decompress(held[_COMPRESSION_HEADER:]) if kind == _ZLIB else b""


def _text_at(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode("utf-8", "replace")
