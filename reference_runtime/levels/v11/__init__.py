"""Define level 11: TensorRT 11.4 as a difference from 10.16.

Networks are always strongly typed. Settings that chose precisions (flags, calibrators, dynamic ranges, the precision of
a layer) are gone. The algorithm selector and the registry's members of version 2 are gone, too. ``IPluginV2DynamicExt``
and ``IPluginCreator`` still exist.
"""

from __future__ import annotations

from typing import Final

from reference_runtime.bound.level_constants import StrongTyping, VersionFacts
from reference_runtime.levels.surface import Surface
from reference_runtime.levels.v11 import gone, members, numbers, signatures

__all__ = ["LEVEL_11"]

LEVEL_11: Final = Surface(
    version="11.4.0.106",
    facts=VersionFacts(
        number=110400,
        stream_before_flags=False,
        strong_typing=StrongTyping.ALWAYS,
        preview_by_default=0,
    ),
    gone_names=gone.NAMES,
    gone_members=gone.MEMBERS,
    enumerations=numbers.CHANGED,
    overloads=signatures.OVERLOADS,
    new_members=members.HOLDERS,
    new_names=numbers.NEW,
)
