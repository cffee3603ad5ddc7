"""Read and write engines as streams of bytes: IStreamReader, IStreamReaderV2 and IStreamWriter.

Theory. An override of IStreamReader receives a number of bytes and returns a buffer. An override of IStreamReaderV2
also receives a stream, and may return fewer bytes than requested. TensorRT calls it again until it has all bytes, or
until the override returns none. This runtime requests exactly the bytes that it needs. If a reader returns too few, the
caller of `read` reports an error.
"""

from __future__ import annotations

import ctypes
import enum
from typing import TYPE_CHECKING, Any

from reference_runtime.application.callback import Hook, cast_error
from reference_runtime.bound.bound_class import pybind11_object, spelling
from reference_runtime.bound.capsules import pointer
from reference_runtime.bound.conversions import Mismatch, instance, int64, size_t
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.bound.overrides import write_error
from reference_runtime.values.enums import SeekPosition

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.calling.gate.gate import Gate

_CAPSULE = "typing_extensions.CapsuleType"
_INT = "typing.SupportsInt"
_NO_READ = "[ERROR] Exception caught in read(): RuntimeError: [ERROR] Failed to find override read function in python."
_ABORTED = "[ERROR] User aborted the operation, the read function in streamReaderV2 returned 0 bytes."


class _Stop(enum.Enum):
    """The reasons why an IStreamReaderV2 returned no bytes."""

    MISSING = enum.auto()
    FAILED = enum.auto()


def _bytes(value: Any) -> bytes:
    """Convert the return value of a reader, which may be any buffer, to bytes."""
    try:
        return memoryview(value).tobytes()
    except TypeError:
        name = spelling(type(value))
        raise Mismatch(f"Exception caught in read(): Object of type '{name}' is not an instance of 'buffer'") from None


def _count(value: Any) -> int:
    """Convert the return value of a writer, which must be an ``int``."""
    if not isinstance(value, int):
        raise Mismatch("StreamWriter shall returns the written bytes count in integer.")
    try:
        return int(int64(value))
    except Mismatch:
        raise Mismatch(f"Exception caught in write(): {cast_error(value)}") from None


_NOTHING_READ = "TensorRT reads nothing"
_READ = Hook("IStreamReader", "read", _NOTHING_READ, _bytes, missing=b"", failed=b"", pure=False)
_READ_V2 = Hook(
    "IStreamReaderV2", "read", _NOTHING_READ, _bytes, missing=_Stop.MISSING, failed=_Stop.FAILED, pure=False
)
_SEEK = Hook(
    "IStreamReaderV2", "seek", "TensorRT cannot move in the engine", bool, missing=None, failed=False, pure=False
)
_WRITE = Hook(
    "IStreamWriter", "write", "TensorRT assumes that no byte was written", _count, missing=0, failed=0, pure=False
)


def read(gate: Gate, reader: object, size: int, stream: int = 0) -> bytes:
    """Return the next ``size`` bytes of a reader of either class; fewer if it returns no more."""
    if isinstance(reader, IStreamReaderV2):
        return _all_of(size, stream, lambda *arguments: _READ_V2.through(gate, reader, *arguments), gate.say)
    data: bytes = _READ.through(gate, reader, size)
    return data[:size]


def seek(gate: Gate, reader: object, offset: int, where: SeekPosition) -> bool:
    """Move the position of an `IStreamReaderV2`; return False if it cannot."""
    return _moved(_SEEK.through(gate, reader, offset, where), gate.say)


def write(gate: Gate, writer: object, data: bytes) -> int:
    """Pass bytes to a writer, and return the number of bytes that it reports as written."""
    return int(_WRITE.through(gate, writer, data))


def _all_of(size: int, stream: int, ask: Callable[..., bytes | _Stop], say: Callable[[str], None]) -> bytes:
    """Call an `IStreamReaderV2` until it has returned all bytes, or returns none."""
    parts: list[bytes] = []
    left = size
    while left > 0:
        part = ask(left, stream)
        if isinstance(part, _Stop):
            if part is _Stop.MISSING:
                say(_NO_READ)
            return b""
        if not part:
            say(_ABORTED)
            break
        parts.append(part[:left])
        left -= len(parts[-1])
    return b"".join(parts)


def _moved(answer: object, say: Callable[[str], None]) -> bool:
    if answer is None:
        say("[ERROR] Failed to find override seek function in python.")
    return bool(answer)


def _copied(data: bytes, destination: int, size: int) -> int:
    """Copy at most ``size`` bytes to an address; return the length of the data, which may be larger."""
    if data and not destination:
        raise NativeCrash(
            f"A stream reader gave {len(data)} bytes to be copied to a null pointer: the genuine bindings crash here. "
            "Pass a destination, or call your own class's read."
        )
    ctypes.memmove(destination, data, min(len(data), size))
    return len(data)


class IStreamReader(pybind11_object, bound=True):
    """The base class of an application's reader of engines; its override is ``read(size)``."""

    @constructor(Overload("(self: IStreamReader) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(Overload(f"(self: IStreamReader, destination: {_CAPSULE}, size: {_INT}) -> int", pointer, int64))
    def read(self, destination: int, size: int) -> int:
        """Call the override as C++ does, and copy the bytes; return their count, even if it exceeds ``size``."""
        return _copied(_READ.directly(self, size), destination, size)


class IStreamReaderV2(pybind11_object, bound=True):
    """The base class of a reader of engines that can seek.

    Its overrides are ``read(num_bytes, stream)`` and ``seek``.
    """

    @constructor(Overload("(self: IStreamReaderV2) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(
        Overload(
            f"(self: IStreamReaderV2, destination: {_CAPSULE}, num_bytes: {_INT}, stream: {_INT}) -> int",
            pointer,
            int64,
            size_t,
        )
    )
    def read(self, destination: int, num_bytes: int, stream: int) -> int:
        """Call the override as C++ does until all bytes have been read, copy them, and return their count."""
        data = _all_of(num_bytes, stream, lambda *arguments: _READ_V2.directly(self, *arguments), write_error)
        return _copied(data, destination, num_bytes)

    @bound(
        Overload(f"(self: IStreamReaderV2, offset: {_INT}, where: SeekPosition) -> bool", int64, instance(SeekPosition))
    )
    def seek(self, offset: int, where: SeekPosition) -> bool:
        """Call the override as C++ does; False without an override."""
        return _moved(_SEEK.directly(self, offset, where), write_error)


class IStreamWriter(pybind11_object, bound=True):
    """The base class of an application's writer of engines; its override is ``write(data)``."""

    @constructor(Overload("(self: IStreamWriter) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(Overload(f"(self: IStreamWriter, data: {_CAPSULE}, size: {_INT}) -> int", pointer, int64))
    def write(self, data: int, size: int) -> int:
        """Call the override as C++ does, with bytes; 0 if it returns no count."""
        if size < 0 or (size and not data):
            raise NativeCrash(f"{size} bytes at address {data} are to be written: the genuine bindings crash here.")
        return int(_WRITE.directly(self, ctypes.string_at(data, size) if size else b""))
