"""The plugin interfaces, and the sets of them that share a duty."""

from __future__ import annotations

import enum


class Interface(enum.Enum):
    """The plugin interfaces, spelled as TensorRT spells them."""

    V2_DYNAMIC = "IPluginV2DynamicExt"


#: Interfaces that answer ``supports_format_combination``.
FORMAT_QUERYING = frozenset({Interface.V2_DYNAMIC})
#: Interfaces that are configured with ``DynamicPluginTensorDesc``.
CONFIGURED = frozenset({Interface.V2_DYNAMIC})
#: Interfaces that state output shapes as expressions.
SYMBOLIC = frozenset({Interface.V2_DYNAMIC})
#: Interfaces with the ``initialize``/``terminate`` pair.
INITIALIZED = frozenset({Interface.V2_DYNAMIC})
#: Interfaces that serialize to bytes and come back through ``deserialize_plugin``.
BLOB_SERIALIZED = frozenset({Interface.V2_DYNAMIC})
#: Every interface that this version drives.
ALL_INTERFACES = frozenset(Interface)
