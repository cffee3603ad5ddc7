"""The creators of one registry, by name, version and namespace.

Theory. A creator is stored under its name, its version and the namespace passed to ``register_creator``. It is found
only if that namespace is also its own. As measured, a creator can be registered under a namespace that is not its own.
This makes the creator unreachable, together with the creator that was stored there before.
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
"""The kinds of creator, in the order in which the bindings look at what they are given."""
_OWN: Final = ("name", "plugin_version", "plugin_namespace")


def identity(creator: IPluginCreatorInterface) -> Key | None:
    """Return a creator's own name, version and namespace; ``None`` if it has no name or no version."""
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
    """Return the original's message about a creator that it does not find."""
    return f"Cannot find plugin: {key[0]}, version: {key[1]}, namespace:{key[2]}."


class RegisteredCreators:
    """The registered creators, in order."""

    def __init__(self, stored: Mapping[Key, IPluginCreatorInterface] | None = None) -> None:
        self._stored = dict(stored or {})

    def find(self, key: Key) -> IPluginCreatorInterface | None:
        """Return the creator that is stored under a key which is also its own."""
        creator = self._stored.get(key)
        if creator is None:
            return None
        own = identity(creator)  # a creator may have another name by now: the key that it is stored under counts
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
        """Return the creators in the original's order: those of version 3 first."""
        return sorted(self._stored.values(), key=lambda creator: isinstance(creator, IPluginCreator))

    def snapshot(self) -> dict[Key, IPluginCreatorInterface]:
        """Return the present content."""
        return dict(self._stored)
