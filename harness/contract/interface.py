"""List the subjects of rules: plugin interfaces, sets of them that share a duty, and applications."""

from __future__ import annotations

import enum


class Interface(enum.Enum):
    """The plugin interfaces, spelled as TensorRT spells them, and applications."""

    V2 = "IPluginV2"
    V2_EXT = "IPluginV2Ext"
    V2_IO_EXT = "IPluginV2IOExt"
    V2_DYNAMIC = "IPluginV2DynamicExt"
    V3 = "IPluginV3"
    DECORATED = "tensorrt.plugin"
    APPLICATION = "application"


#: Interfaces for networks with an implicit batch.
IMPLICIT_BATCH = frozenset({Interface.V2, Interface.V2_EXT, Interface.V2_IO_EXT})
#: Interfaces for an implicit batch that can broadcast inputs across it; each context attaches a clone of the plugin.
BROADCASTING = frozenset({Interface.V2_EXT, Interface.V2_IO_EXT})
#: Interfaces whose shapes may vary in every dimension.
DYNAMIC = frozenset({Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces with ``supports_format_combination``.
FORMAT_QUERYING = frozenset({Interface.V2_IO_EXT, Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces that are configured with ``DynamicPluginTensorDesc``.
CONFIGURED = frozenset({Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces with a callback that returns the types of the outputs.
TYPED = frozenset({Interface.V2_EXT, Interface.V2_IO_EXT, Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces that state output shapes as expressions.
SYMBOLIC = frozenset({Interface.V2_DYNAMIC, Interface.V3, Interface.DECORATED})
#: Interfaces with ``initialize`` and ``terminate``.
INITIALIZED = frozenset({*IMPLICIT_BATCH, Interface.V2_DYNAMIC})
#: Interfaces that store bytes, from which ``deserialize_plugin`` makes the plugin.
BLOB_SERIALIZED = frozenset({*IMPLICIT_BATCH, Interface.V2_DYNAMIC})
#: Interfaces that store fields, from which ``create_plugin`` makes the plugin.
FIELD_SERIALIZED = frozenset({Interface.V3})
#: Interfaces of version 2.
VERSION_2 = frozenset({*IMPLICIT_BATCH, Interface.V2_DYNAMIC})
#: Interfaces that are split into capabilities.
VERSION_3 = frozenset({Interface.V3})
#: Plugins that are decorated functions: the object that TensorRT calls is not the user's.
DECORATED = frozenset({Interface.DECORATED})
#: Interfaces whose objects are an ``IPluginV3``: they may alias inputs, and declare size tensors and tactics.
MADE_AS_V3 = VERSION_3 | DECORATED
#: An application is no plugin, but a function that builds and runs engines, whose calls are watched.
APPLICATIONS = frozenset({Interface.APPLICATION})
#: All plugin interfaces.
ALL_INTERFACES = frozenset(Interface) - APPLICATIONS
#: Interfaces whose plugins are classes that the user wrote, with creators.
CLASSES = ALL_INTERFACES - DECORATED
