"""Keep the constants that differ between TensorRT's versions; `levels` changes the names and members that differ.

The constants are those of TensorRT 10.16 until `levels` calls `settle`, once in a process, before user code runs.
"""

from __future__ import annotations

import enum

from msgspec import Struct


class StrongTyping(enum.Enum):
    """The networks of an API level that are strongly typed."""

    NEVER = enum.auto()
    ON_REQUEST = enum.auto()
    ALWAYS = enum.auto()


class VersionFacts(Struct, frozen=True):
    """The constants of one version.

    Attributes:
        number: ``NV_TENSORRT_VERSION``, which plugins return from ``tensorrt_version``.
        stream_before_flags: Whether the bindings pass the stream before the flags to ``allocate_async``. In the
            signature the flags come first.
        strong_typing: Which networks are strongly typed.
        constant_bits: The bits of a constant in a dimension expression; the minimum value means "not constant".
        preview_by_default: The mask of the preview features that are always on.
        asynchronous_outputs: Whether an output allocator may have ``reallocate_output_async``.
    """

    number: int = 101601
    stream_before_flags: bool = True
    strong_typing: StrongTyping = StrongTyping.ON_REQUEST
    constant_bits: int = 64
    preview_by_default: int = 1
    asynchronous_outputs: bool = True


class _Process:
    """The constants of this process."""

    facts = VersionFacts()


def version_facts() -> VersionFacts:
    """Return the constants of this process."""
    return _Process.facts


def settle(facts: VersionFacts) -> None:
    """Set the constants of this process."""
    _Process.facts = facts
