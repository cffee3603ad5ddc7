"""SavedField: one field that a plugin of version 3 serializes, as an immutable deep copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from reference_runtime.values.enums import PluginFieldType


class SavedField(Struct, frozen=True):
    """The name, type and number of elements of a field, and a copy of the bytes behind its pointer."""

    name: str
    type: PluginFieldType
    length: int
    data: bytes
