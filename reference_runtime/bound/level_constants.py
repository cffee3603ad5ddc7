"""What differs between TensorRT's versions and is no name or member: numbers and choices, as this process has them.

Everything is as in TensorRT 10.16 until `settle`; `levels` calls it, once, before user code runs.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["StrongTyping", "VersionFacts", "settle", "version_facts"]


class StrongTyping(enum.Enum):
    """Which networks are strongly typed."""

    NEVER = enum.auto()
    ON_REQUEST = enum.auto()
    ALWAYS = enum.auto()


@dataclass(frozen=True)
class VersionFacts:
    """One version.

    Attributes:
        number: ``NV_TENSORRT_VERSION``, which plugins tell in ``tensorrt_version``.
        stream_before_flags: Whether the bindings hand the last two arguments of ``allocate_async`` over in this order,
            and not as its signature has them.
        strong_typing: Which networks are strongly typed.
        constant_bits: How many bits the constant of a dimension expression has, whose minimum means "not constant".
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
    """What holds in this process."""

    facts = VersionFacts()


def version_facts() -> VersionFacts:
    """Return what holds in this process."""
    return _Process.facts


def settle(facts: VersionFacts) -> None:
    """Fix what holds in this process."""
    _Process.facts = facts
