"""The container of a plan: magic, version, lengths, metadata, blobs and checksum, each within limits."""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING, Final

from reference_runtime.values.checked_json import require

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VERSION: Final = 2
MAX_METADATA: Final = 1 << 28
MAX_BLOBS: Final = 1 << 20
MAX_BLOB: Final = 1 << 32

_MAGIC: Final = b"\x89TRTREF\n"
_HEADER: Final = struct.Struct("<8sIII")
_LENGTH: Final = struct.Struct("<Q")
_CHECKSUM: Final = hashlib.sha256().digest_size


def pack(metadata: bytes, blobs: Sequence[bytes]) -> bytes:
    """Return the bytes of a plan, or raise `PlanError` if they exceed a plan's limit."""
    require(len(metadata) <= MAX_METADATA, f"{len(metadata)} bytes of metadata are too many")
    require(len(blobs) <= MAX_BLOBS, f"{len(blobs)} blobs are too many")
    require(all(len(blob) <= MAX_BLOB for blob in blobs), "a blob is too long")
    parts = [
        _HEADER.pack(_MAGIC, VERSION, len(metadata), len(blobs)),
        *(_LENGTH.pack(len(blob)) for blob in blobs),
        metadata,
        *blobs,
    ]
    body = b"".join(parts)
    return body + hashlib.sha256(body).digest()


def collect(read: Callable[[int], bytes]) -> bytes:
    """Return the bytes of a plan from a stream, or raise `PlanError` if it ends too early.

    ``read`` returns the next bytes of the stream; its argument is their number.
    """
    header = _next(read, _HEADER.size)
    magic, _, metadata_length, count = _HEADER.unpack(header)
    require(magic == _MAGIC, "the bytes do not begin as a plan of the reference runtime does")
    require(metadata_length <= MAX_METADATA and count <= MAX_BLOBS, "the plan announces too much")
    table = _next(read, count * _LENGTH.size)
    lengths = [length for (length,) in _LENGTH.iter_unpack(table)]
    require(all(length <= MAX_BLOB for length in lengths), "a blob is too long")
    return header + table + _next(read, metadata_length + sum(lengths) + _CHECKSUM)


def _next(read: Callable[[int], bytes], size: int) -> bytes:
    data = read(size) if size else b""
    require(len(data) == size, f"{size} bytes were to come, and {len(data)} did")
    return data


def unpack(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return the metadata and the blobs, or raise `PlanError`; every length is checked before any copy."""
    require(len(data) >= _HEADER.size + _CHECKSUM, f"{len(data)} bytes are too few for a plan")
    magic, version, metadata_length, count = _HEADER.unpack_from(data)
    require(magic == _MAGIC, "the bytes do not begin as a plan of the reference runtime does")
    require(version == VERSION, f"the plan has version {version}; this runtime reads version {VERSION}")
    require(metadata_length <= MAX_METADATA, f"{metadata_length} bytes of metadata are too many")
    require(count <= MAX_BLOBS, f"{count} blobs are too many")
    start = _HEADER.size + count * _LENGTH.size
    require(len(data) >= start + metadata_length + _CHECKSUM, "the plan is truncated")
    lengths = [_LENGTH.unpack_from(data, _HEADER.size + place * _LENGTH.size)[0] for place in range(count)]
    require(all(length <= MAX_BLOB for length in lengths), "a blob is too long")
    expected = start + metadata_length + sum(lengths) + _CHECKSUM
    require(len(data) == expected, f"the plan says that it has {expected} bytes, and has {len(data)}")
    whole = memoryview(data)
    digest = hashlib.sha256(whole[:-_CHECKSUM]).digest()
    require(digest == data[-_CHECKSUM:], "the plan is damaged: its checksum does not fit")
    return bytes(whole[start : start + metadata_length]), _cut(whole[start + metadata_length :], lengths)


def _cut(data: memoryview, lengths: Sequence[int]) -> list[bytes]:
    pieces, start = [], 0
    for length in lengths:
        pieces.append(bytes(data[start : start + length]))
        start += length
    return pieces
