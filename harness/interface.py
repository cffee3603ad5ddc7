"""The plugin interfaces, and the sets of them that share a duty."""

from __future__ import annotations

import enum


class Interface(enum.Enum):
    """The plugin interfaces, spelled as TensorRT spells them."""

    V2 = "IPluginV2"
    V2_EXT = "IPluginV2Ext"
    V2_IO_EXT = "IPluginV2IOExt"
    V2_DYNAMIC = "IPluginV2DynamicExt"
    V3 = "IPluginV3"


#: Interfaces for networks with an implicit batch.
IMPLICIT_BATCH = frozenset({Interface.V2, Interface.V2_EXT, Interface.V2_IO_EXT})
#: Those of them that broadcast across the batch, and of which each context has a clone that is attached to it.
BROADCASTING = frozenset({Interface.V2_EXT, Interface.V2_IO_EXT})
#: Interfaces whose shapes may vary in every extent.
DYNAMIC = frozenset({Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces that answer ``supports_format_combination``.
FORMAT_QUERYING = frozenset({Interface.V2_IO_EXT, Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces that are configured with ``DynamicPluginTensorDesc``.
CONFIGURED = frozenset({Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces that are asked for the types of their outputs.
TYPED = frozenset({Interface.V2_EXT, Interface.V2_IO_EXT, Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces that state output shapes as expressions.
SYMBOLIC = frozenset({Interface.V2_DYNAMIC, Interface.V3})
#: Interfaces with the ``initialize``/``terminate`` pair.
INITIALIZED = frozenset({*IMPLICIT_BATCH, Interface.V2_DYNAMIC})
#: Interfaces that serialize to bytes and come back through ``deserialize_plugin``.
BLOB_SERIALIZED = frozenset({*IMPLICIT_BATCH, Interface.V2_DYNAMIC})
#: Interfaces that serialize to fields and come back through ``create_plugin``.
FIELD_SERIALIZED = frozenset({Interface.V3})
#: Interfaces of version 2.
VERSION_2 = frozenset({*IMPLICIT_BATCH, Interface.V2_DYNAMIC})
#: Interfaces that are split into capabilities.
VERSION_3 = frozenset({Interface.V3})
#: Every interface that this version drives.
ALL_INTERFACES = frozenset(Interface)
