"""Damage stored data: flip bits, overwrite numbers, cut off an end or append bytes.

Theory. A plugin stores bytes or, in version 3, fields. Both are treated as one sequence of bytes. A position counts
from the start, or from the end if it is negative, and wraps around. Damage to fields stays in the field where it
begins, and leaves a whole number of elements. Names and types are never damaged, because TensorRT stores them itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import structs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.interfaces.saved_fields import SavedField

    Damage = dict[str, Any]
    Stored = bytes | list[SavedField]


def damaged(stored: Stored, damages: Sequence[Damage]) -> Stored:
    """Return stored data with damages, which are applied in order.

    Each damage names a key of ``_DAMAGES`` under ``do``, and that function's numbers.
    """
    for damage in damages:
        if isinstance(stored, bytes):
            place = damage.get("at", 0) % len(stored) if stored else 0
            stored = _DAMAGES[damage["do"]](stored, place, damage)
        else:
            stored = _in_fields(stored, damage)
    return stored


def size_of(stored: Stored) -> int:
    """Return the number of stored bytes."""
    return len(stored) if isinstance(stored, bytes) else sum(len(field.data) for field in stored)


def described(damages: Sequence[Damage]) -> str:
    """Return damages in words, for messages."""
    return "; ".join(_WORDS[damage["do"]].format(**damage) for damage in damages) or "as they were"


def _in_fields(fields: list[SavedField], damage: Damage) -> list[SavedField]:
    size = size_of(fields)
    place = damage.get("at", 0) % size if size else 0
    result = list(fields)
    for index, field in enumerate(fields):
        if place < len(field.data):
            data = _DAMAGES[damage["do"]](field.data, place, damage)
            width = max(len(field.data) // max(field.length, 1), 1)
            length = len(data) // width
            result[index] = structs.replace(field, data=data[: length * width], length=length)
            break
        place -= len(field.data)
    return result


def _over(data: bytes, place: int, piece: bytes) -> bytes:
    """Return the data with ``piece`` in place of the bytes from ``place`` on; the length stays."""
    return (data[:place] + piece + data[place + len(piece) :])[: len(data)]


_DAMAGES: dict[str, Callable[[bytes, int, Damage], bytes]] = {
    "flip": lambda data, at, damage: _over(data, at, bytes(each ^ 1 << damage["bit"] for each in data[at : at + 1])),
    "set": lambda data, at, damage: _over(data, at, bytes([damage["to"]])),
    "word": lambda data, at, damage: _over(data, at // 4 * 4, damage["to"].to_bytes(4, "little")),
    "cut": lambda data, at, _: data[:at],
    "tail": lambda data, _, damage: data + bytes([damage["of"]]) * damage["bytes"],
    "repeat": lambda data, at, damage: data[: at + damage["bytes"]] + data[at:],
    "swap": lambda data, at, _: data[at:] + data[:at],
}
_WORDS = {
    "flip": "bit {bit} of byte {at} flipped",
    "set": "byte {at} set to {to}",
    "word": "the aligned four bytes at {at} set to {to}",
    "cut": "cut off at byte {at}",
    "tail": "{bytes} bytes of {of} appended",
    "repeat": "{bytes} bytes at {at} repeated",
    "swap": "the bytes before byte {at} moved to the end",
}
