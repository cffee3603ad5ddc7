"""Load the public names of ``tensorrt`` at each API level, with which ``parity`` compares the reference runtime.

``10.json`` and ``11.json`` in ``tests/data/surfaces`` come from the genuine bindings 10.16.1.11 and 11.4.0.106, by
introspection. They have every class with its bases and members, every enumeration with its values, every signature.
Bindings of 8.6 are not available any more. ``8.6.json`` has only the classes whose members the documentation
of 8.6 lists.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

from msgspec import Struct

LEVELS = ("8.6", "10", "11")
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "surfaces"

#: The classes that a plugin, its creator, or a tool that builds and runs an engine with the plugin uses.
MUST_HAVE = frozenset(
    """
    IPluginV2 IPluginV2Ext IPluginV2DynamicExt IPluginV2DynamicExtBase IPluginV3 IPluginV3OneCore IPluginV3OneBuild
    IPluginV3OneBuildV2 IPluginV3OneRuntime IPluginCapability IPluginV3QuickCore IPluginV3QuickBuild
    IPluginV3QuickAOTBuild IPluginV3QuickRuntime IPluginCreator IPluginCreatorInterface IPluginCreatorV3One
    IPluginCreatorV3Quick IPluginRegistry IPluginResource IPluginResourceContext IVersionedInterface InterfaceInfo
    PluginField PluginFieldCollection PluginFieldCollection_ FallbackString PluginTensorDesc DynamicPluginTensorDesc
    Dims Dims2 Dims3 Dims4 DimsHW DimsExprs IExprBuilder IDimensionExpr ISymExpr ISymExprs KernelLaunchParams Weights
    Permutation Builder IBuilderConfig INetworkDefinition ITensor ILayer IPluginV2Layer IPluginV3Layer
    IOptimizationProfile Runtime ICudaEngine IExecutionContext IOutputAllocator IGpuAllocator IGpuAsyncAllocator
    IProfiler Profiler IErrorRecorder ILogger Logger IHostMemory ITimingCache EngineInspector IProgressMonitor
    IActivationLayer ICastLayer IConcatenationLayer IConstantLayer IDequantizeLayer IElementWiseLayer IGatherLayer
    IIdentityLayer IMatrixMultiplyLayer IQuantizeLayer IReduceLayer ISelectLayer IShapeLayer IShuffleLayer ISliceLayer
    ISoftMaxLayer ISqueezeLayer IUnaryLayer IUnsqueezeLayer
    """.split()  # noqa: SIM905 - easier to read than a list of quoted names
)
#: The layers of a graph around a plugin; a plugin does not need the other ``add_`` methods of a network.
NETWORK_LAYERS = frozenset(
    f"add_{name}"
    for name in """
    activation cast concatenation constant dequantize elementwise gather identity input matrix_multiply plugin plugin_v2
    plugin_v3 quantize reduce select shape shuffle slice softmax squeeze unary unsqueeze
    """.split()  # noqa: SIM905 - as above
)


class Member(Struct, frozen=True):
    """One member of a class: its kind ("method", "property", "writable property", ...), and its signatures."""

    kind: str
    signatures: tuple[str, ...] = ()


class Surface(Struct, frozen=True):
    """The names of ``tensorrt`` at one level; ``whole`` says whether all its names are known."""

    version: str
    enums: dict[str, dict[str, int]]
    classes: dict[str, dict[str, Member]]
    bases: dict[str, tuple[str, ...]]
    functions: dict[str, tuple[str, ...]]
    aliases: dict[str, str]
    whole: bool

    @property
    def names(self) -> frozenset[str]:
        """Return every name of the module."""
        return frozenset({*self.enums, *self.classes, *self.functions, *self.aliases})

    def must_have(self, owner: str, member: str) -> bool:
        """Return whether a plugin, or a tool that runs one, needs a member of a class."""
        if owner == "INetworkDefinition" and member.startswith("add_"):
            return member in NETWORK_LAYERS
        return owner in MUST_HAVE


def load(level: str) -> Surface:
    """Return the surface of a level."""
    held = json.loads((FOLDER / f"{level}.json").read_text(encoding="utf-8"))
    return Surface(
        version=held["version"],
        enums=held["enums"],
        classes={name: _members(entry["members"]) for name, entry in held["classes"].items()},
        bases={name: tuple(entry["bases"]) for name, entry in held["classes"].items()},
        functions={name: tuple(texts) for name, texts in held["functions"].items()},
        aliases=held["aliases"],
        whole=level != "8.6",
    )


def _members(held: dict[str, Any]) -> dict[str, Member]:
    return {
        name: Member(entry) if isinstance(entry, str) else Member("method", tuple(entry))
        for name, entry in held.items()
    }
