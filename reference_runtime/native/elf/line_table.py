"""Map each instruction to its source line: the line table of a library's debug information.

Source: the DWARF standard, versions 2 to 5, "Line Number Information". The table has one program for each unit of
compilation. The opcodes of a program advance an address and a line.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_OLDEST, _VERSION_4, _VERSION_5 = 2, 4, 5
_COPY, _ADVANCE, _LINE, _FILE, _NEGATE, _ADD_CONSTANT, _ADD_FIXED = 1, 2, 3, 4, 6, 8, 9
_END, _SET_ADDRESS = 1, 2
_PATH: Final = 1
#: Forms of the entries of version 5 that have a fixed size, in bytes.
_SIZES: Final = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
_TEXT, _STRING, _LINE_STRING, _VARIABLE, _BLOCK = 0x08, 0x0E, 0x1F, 0x0F, 0x09


class Row(Struct, frozen=True):
    """An address, counted from the beginning of the library, with its file and line; line 0 ends a sequence."""

    address: int
    line: int
    file: str = ""
    begins: bool = True
    """Whether a statement begins at the address."""


def rows_of(library: Library) -> list[Row]:
    """Return the line table of a library, in the order of the file; empty without debug information.

    If the table is damaged, or has an unknown version, the rows before that place are returned.
    """
    rows: list[Row] = []
    try:
        for row in _rows(library):
            rows.append(row)  # noqa: PERF402 - what was read before an error counts
    except (IndexError, KeyError, ValueError, struct.error):
        pass
    return rows


class _Reader:
    """Reads numbers and texts, one after the other."""

    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data, self.place = data, place

    def number(self, size: int, *, signed: bool = False) -> int:
        self.place += size
        return int.from_bytes(self.data[self.place - size : self.place], "little", signed=signed)

    def variable(self, *, signed: bool = False) -> int:
        """Read a number of LEB128."""
        value = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004 - the last byte of a number
                return value - (1 << shift) if signed and byte & 0x40 else value

    def text(self) -> str:
        end = self.data.index(b"\0", self.place)
        begin, self.place = self.place, end + 1
        return self.data[begin:end].decode("utf-8", "replace")


class _Unit:
    """The line program of one unit of compilation."""

    def __init__(self, reader: _Reader, library: Library) -> None:
        self._reader, self._library = reader, library
        length, self._offset_size = reader.number(4), 4
        if length == 0xFFFFFFFF:  # noqa: PLR2004 - the mark of 64-bit DWARF
            length, self._offset_size = reader.number(8), 8
        self.end = reader.place + length
        version = reader.number(2)
        if not _OLDEST <= version <= _VERSION_5:
            raise ValueError(f"line tables of version {version} are not known")
        if version == _VERSION_5:
            reader.number(2)
        header = reader.number(self._offset_size)
        program = reader.place + header
        self._step = reader.number(1)
        if version >= _VERSION_4:
            reader.number(1)
        self._begins_at_first = bool(reader.number(1))
        self._line_base, self._line_range = reader.number(1, signed=True), reader.number(1)
        self._first_special = reader.number(1)
        self._operands = [reader.number(1) for _ in range(self._first_special - 1)]
        self._files = self._of_version_5() if version == _VERSION_5 else self._of_version_2()
        reader.place = program

    def _of_version_2(self) -> list[str]:
        folders, files = [""], [""]
        while name := self._reader.text():
            folders.append(name)
        while name := self._reader.text():
            folder = self._reader.variable()
            self._reader.variable(), self._reader.variable()
            files.append(_joined(folders[folder], name))
        return files

    def _of_version_5(self) -> list[str]:
        folders = [name for name, _ in self._entries()]
        whole = [_joined(folders[0], name) for name in folders]
        return [_joined(whole[folder], name) for name, folder in self._entries()]

    def _entries(self) -> list[tuple[str, int]]:
        """Read folders or files: each name, and the number of its folder."""
        formats = [(self._reader.variable(), self._reader.variable()) for _ in range(self._reader.number(1))]
        entries = []
        for _ in range(self._reader.variable()):
            values = {kind: self._value(form) for kind, form in formats}
            entries.append((str(values[_PATH]), int(values.get(2, 0))))
        return entries

    def _value(self, form: int) -> str | int:
        if form == _TEXT:
            return self._reader.text()
        if form in {_STRING, _LINE_STRING}:
            section = ".debug_str" if form == _STRING else ".debug_line_str"
            return _Reader(self._library.section(section), self._reader.number(self._offset_size)).text()
        if form == _VARIABLE:
            return self._reader.variable()
        return self._reader.number(self._reader.variable() if form == _BLOCK else _SIZES[form])

    def rows(self) -> Iterator[Row]:
        """Run the line program, and yield the rows that it adds to the table."""
        reader = self._reader
        self._restart()
        while reader.place < self.end:
            opcode = reader.number(1)
            if opcode >= self._first_special:
                steps, lines = divmod(opcode - self._first_special, self._line_range)
                self._address += steps * self._step
                self._line += self._line_base + lines
            elif opcode == 0:
                if self._is_end_of_sequence():
                    yield Row(self._address, 0)
                    self._restart()
                continue
            elif opcode != _COPY:
                self._change(opcode)
                continue
            yield Row(self._address, self._line, self._files[self._file], self._begins)

    def _restart(self) -> None:
        self._address, self._line, self._file, self._begins = 0, 1, 1, self._begins_at_first

    def _is_end_of_sequence(self) -> bool:
        """Execute an opcode of variable length; return whether it ends a sequence of rows."""
        length = self._reader.variable()
        after, kind = self._reader.place + length, self._reader.number(1)
        if kind == _SET_ADDRESS:
            self._address = self._reader.number(length - 1)
        self._reader.place = after
        return kind == _END

    def _change(self, opcode: int) -> None:
        """Execute an opcode that changes the next row, and adds none."""
        reader = self._reader
        if opcode == _ADVANCE:
            self._address += reader.variable() * self._step
        elif opcode == _LINE:
            self._line += reader.variable(signed=True)
        elif opcode == _FILE:
            self._file = reader.variable()
        elif opcode == _NEGATE:
            self._begins = not self._begins
        elif opcode == _ADD_CONSTANT:
            self._address += (255 - self._first_special) // self._line_range * self._step
        elif opcode == _ADD_FIXED:
            self._address += reader.number(2)
        else:
            for _ in range(self._operands[opcode - 1]):
                reader.variable()


def _rows(library: Library) -> Iterator[Row]:
    reader = _Reader(library.section(".debug_line"))
    while reader.place < len(reader.data):
        unit = _Unit(reader, library)
        is_linked = True
        for row in unit.rows():
            is_linked = is_linked and row.address > 0  # a function that the linker left out begins at 0
            if is_linked:
                yield row
            is_linked = is_linked or not row.line
        reader.place = unit.end


def _joined(folder: str, name: str) -> str:
    return name if name.startswith("/") or not folder else f"{folder}/{name}"
