"""The creators of one registry, by name, version and namespace.

Theory. A creator is stored under its name, its version and the namespace passed to ``register_creator``. It is found
only if that namespace equals its attribute ``plugin_namespace``. A creator whose attribute differs can be registered
(measured). Then it cannot be found, nor can the creator that it replaced under that key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.bound.bound_class import read, spelling
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overrides import write_unset
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference_runtime.interfaces.creators import IPluginCreatorInterface

Key = tuple[str, str, str]
_CREATORS: Final = (IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick)
"""The classes of creators, in the order in which the bindings check an object's class."""
_OWN: Final = ("name", "plugin_version", "plugin_namespace")


def identity(creator: IPluginCreatorInterface) -> Key | None:
    """Return a creator's own name, version and namespace; ``None`` without a name or version.

    Raises:
        NativeCrash: The creator has a name, but no namespace.
    """
    owner = next(cls for cls in _CREATORS if isinstance(creator, cls))
    name, version, namespace = (read(creator, owner, key) for key in _OWN)
    if name is None:
        write_unset("name")
        return None
    if namespace is None:
        raise NativeCrash(
            f"{spelling(type(creator))} was registered without a plugin_namespace: the genuine bindings crash here. "
            f"Set self.plugin_namespace in the creator's __init__; the default namespace is ''."
        )
    if version is None:
        write_unset("plugin_version")
        return None
    return name, version, namespace


def is_complete(creator: IPluginCreatorInterface) -> bool:
    """Return whether a creator has a name, a version and a namespace."""
    owner = next(cls for cls in _CREATORS if isinstance(creator, cls))
    return all(read(creator, owner, key) is not None for key in _OWN)


def not_found(key: Key) -> str:
    """Return TensorRT's message about a creator that it does not find."""
    return f"Cannot find plugin: {key[0]}, version: {key[1]}, namespace:{key[2]}."


class RegisteredCreators:
    """The registered creators, in the order of registration."""

    def __init__(self, stored: Mapping[Key, IPluginCreatorInterface] | None = None) -> None:
        self._stored = dict(stored or {})

    def find(self, key: Key) -> IPluginCreatorInterface | None:
        """Return the creator that is stored under a key, if its own namespace is that of the key; otherwise None."""
        creator = self._stored.get(key)
        if creator is None:
            return None
        own = identity(creator)  # its own name is not compared: it may have changed since the registration
        return creator if own is not None and own[2] == key[2] else None

    def add(self, creator: IPluginCreatorInterface, own: Key, namespace: str) -> bool:
        """Store a creator under a namespace; False if its own key is taken."""
        if self.find(own) is not None:
            return False
        self._stored[own[0], own[1], namespace] = creator
        return True

    def remove(self, key: Key) -> None:
        """Remove a creator."""
        del self._stored[key]

    def listed(self) -> list[IPluginCreatorInterface]:
        """Return the creators in TensorRT's order: creators of version 2 come last."""
        return sorted(self._stored.values(), key=lambda creator: isinstance(creator, IPluginCreator))

    def snapshot(self) -> dict[Key, IPluginCreatorInterface]:
        """Return a copy of the current content."""
        return dict(self._stored)
