"""Level 8.6: the API of the 8.x pages as a difference from 10.16.

The names and members of 8.6 were never measured; `gone` lists the sources. TensorRT accepts plugins written in Python
from 9.x on. At this level their classes have the members of the 9.x page of ``IPluginV2DynamicExt``, and behave as
measured with 10.16.
"""

from __future__ import annotations

from typing import Final

from reference_runtime.bound.bound_class import attribute
from reference_runtime.bound.level_constants import StrongTyping, VersionFacts, version_facts
from reference_runtime.levels.surface import Surface
from reference_runtime.levels.v8_6 import allocation, building, context, engine, expressions, gone, numbers

__all__ = ["LEVEL_8_6"]


class _Versioned:
    tensorrt_version = attribute(lambda _self: version_facts().number)


LEVEL_8_6: Final = Surface(
    version="8.6.1",
    facts=VersionFacts(
        number=8601,
        strong_typing=StrongTyping.NEVER,
        preview_by_default=0,
        constant_bits=32,
        asynchronous_outputs=False,
    ),
    gone_names=gone.NAMES,
    gone_members=gone.MEMBERS,
    enumerations=numbers.CHANGED,
    new_members={
        "Builder": building.BuilderMembers,
        "IBuilderConfig": building.ConfigMembers,
        "ICudaEngine": engine.EngineMembers,
        "IDimensionExpr": expressions.Expression,
        "IExecutionContext": context.ContextMembers,
        "INetworkDefinition": building.NetworkMembers,
        "IOutputAllocator": allocation.OutputAllocatorMembers,
        "IPluginCreator": _Versioned,
        "ITensor": building.TensorMembers,
    },
)
