"""Where TensorRT finds creators: IPluginRegistry, the one global registry, and private ones for tests.

Theory. A creator is stored under its name, its version and the namespace that was passed to ``register_creator``, and
it is found where that namespace is also its own. As measured, registering under another namespace than the creator's
own succeeds and makes the creator unreachable, together with the one that was stored there before. What is not found
here is looked for in the parent registry, unless that search is switched off.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from reference_runtime.conversions import boolean, instance, optional
from reference_runtime.creators import IPluginCreator, IPluginCreatorInterface
from reference_runtime.enums_building import EngineCapability
from reference_runtime.errors import NativeCrash
from reference_runtime.native import attribute, initialise, is_bound, pybind11_object, read, spelling, state
from reference_runtime.overrides import complain_unset, text
from reference_runtime.signatures import Overload, accessor, bound, bound_function

Key = tuple[str, str, str]
_CREATOR = instance(IPluginCreatorInterface)
_TRIPLE = (text, text, text)


class RegistryEvent(NamedTuple):
    """One registration or deregistration, refused ones included."""

    verb: str
    creator: IPluginCreatorInterface
    namespace: str
    result: bool


def _stored(registry: IPluginRegistry) -> dict[Key, IPluginCreatorInterface]:
    stored: dict[Key, IPluginCreatorInterface] = state(registry)["_stored"]
    return stored


def _find(registry: IPluginRegistry, key: Key) -> IPluginCreatorInterface | None:
    creator = _stored(registry).get(key)
    return creator if creator is not None and identity(creator) == key else None


def _recursive(registry: IPluginRegistry) -> list[IPluginCreatorInterface]:
    parent = state(registry)["parent"]
    inherited = [] if parent is None or not state(registry)["parent_search"] else _recursive(parent)
    return [*_stored(registry).values(), *inherited]


class IPluginRegistry(pybind11_object, bound=True):
    """The creators that networks and engines are made with."""

    parent_search_enabled = accessor(
        "(self: IPluginRegistry, arg0: bool) -> None",
        lambda self: state(self)["parent_search"],
        lambda self, value: state(self).update(parent_search=value),
        boolean,
    )
    all_creators = attribute(lambda self: list(_stored(self).values()))
    all_creators_recursive = attribute(_recursive)
    plugin_creator_list = attribute(
        lambda self: [creator for creator in _stored(self).values() if isinstance(creator, IPluginCreator)]
    )

    @bound(
        Overload(
            "(self: IPluginRegistry, creator: IPluginCreator, plugin_namespace: str = '') -> bool",
            instance(IPluginCreator),
            text,
            defaults=[""],
        ),
        Overload(
            "(self: IPluginRegistry, creator: IPluginCreatorInterface, plugin_namespace: str = '') -> bool",
            _CREATOR,
            text,
            defaults=[""],
        ),
    )
    def register_creator(self, creator: Any, plugin_namespace: str) -> bool:
        """Store a creator; False for one that has no name or version, or whose triple is taken."""
        done = False
        with state(self)["_lock"]:
            try:
                own = identity(creator)
                if own is not None and _find(self, own) is None:
                    _stored(self)[own[0], own[1], plugin_namespace] = creator
                    done = True
            finally:
                _note(self, "register_creator", creator, plugin_namespace, result=done)
        return done

    @bound(
        Overload("(self: IPluginRegistry, creator: IPluginCreator) -> bool", instance(IPluginCreator)),
        Overload("(self: IPluginRegistry, creator: IPluginCreatorInterface) -> bool", _CREATOR),
    )
    def deregister_creator(self, creator: Any) -> bool:
        """Remove a creator; False for one that is not found."""
        with state(self)["_lock"]:
            own = identity(creator)
            done = own is not None and _find(self, own) is creator
            if own is not None and done:
                del _stored(self)[own]
            _note(self, "deregister_creator", creator, own[2] if own else "", result=done)
        return done

    @bound(
        Overload(
            "(self: IPluginRegistry, type: str, version: str, plugin_namespace: str = '') -> object",
            *_TRIPLE,
            defaults=[""],
        )
    )
    def get_creator(self, kind: str, version: str, plugin_namespace: str) -> Any:
        """Return the creator of a name, version and namespace, or ``None``."""
        found = _find(self, (kind, version, plugin_namespace))
        parent = state(self)["parent"]
        if found is None and parent is not None and state(self)["parent_search"]:
            return parent.get_creator(kind, version, plugin_namespace)
        return found

    @bound(
        Overload(
            "(self: IPluginRegistry, type: str, version: str, plugin_namespace: str = '') -> IPluginCreator",
            *_TRIPLE,
            defaults=[""],
        )
    )
    def get_plugin_creator(self, kind: str, version: str, plugin_namespace: str) -> Any:
        """Return such a creator if it is one of version 2, or ``None``."""
        found = self.get_creator(kind, version, plugin_namespace)
        return found if isinstance(found, IPluginCreator) else None


class PluginRegistry(IPluginRegistry, bound=True, spelled="IPluginRegistry"):
    """A registry that can be made: the global one is one of these, and a test may have its own."""

    def __init__(self, parent: IPluginRegistry | None = None) -> None:
        initialise(self, PluginRegistry)
        state(self).update(parent=parent, parent_search=True, _stored={}, _events=[], _lock=threading.RLock())

    @property
    def events(self) -> list[RegistryEvent]:
        """What was registered and deregistered, and what was refused."""
        events: list[RegistryEvent] = state(self)["_events"]
        return events

    def snapshot(self) -> dict[Key, IPluginCreatorInterface]:
        """Return what is stored now, for `restore`."""
        return dict(_stored(self))

    def restore(self, stored: dict[Key, IPluginCreatorInterface]) -> None:
        """Put back what was stored then, without an event."""
        with state(self)["_lock"]:
            state(self)["_stored"] = dict(stored)


def identity(creator: IPluginCreatorInterface) -> Key | None:
    """Return a creator's own name, version and namespace; ``None`` if it has no name or no version."""
    owner = next(cls for cls in type(creator).__mro__ if is_bound(cls))
    name, version, namespace = (read(creator, owner, key) for key in ("name", "plugin_version", "plugin_namespace"))
    for key, value in (("name", name), ("plugin_version", version)):
        if value is None:
            complain_unset(key)
            return None
    if namespace is None:
        raise NativeCrash(
            f"{spelling(type(creator))} was registered without a plugin_namespace: the genuine bindings crash here. "
            f"Set self.plugin_namespace in the creator's __init__; the default namespace is ''."
        )
    return name, version, namespace


def _note(
    registry: IPluginRegistry, verb: str, creator: IPluginCreatorInterface, namespace: str, *, result: bool
) -> None:
    state(registry)["_events"].append(RegistryEvent(verb, creator, namespace, result))


_GLOBAL = PluginRegistry()


@bound_function(Overload("() -> IPluginRegistry"))
def get_plugin_registry() -> PluginRegistry:
    """Return the registry of the process."""
    return _GLOBAL


@bound_function(Overload("(arg0: nvinfer1::EngineCapability) -> IPluginRegistry", instance(EngineCapability)))
def get_builder_plugin_registry(capability: EngineCapability) -> PluginRegistry | None:
    """Return the registry for building engines of a capability: the global one for standard engines, else ``None``."""
    return _GLOBAL if capability == EngineCapability.STANDARD else None


@bound_function(
    Overload(
        "(logger: typing_extensions.CapsuleType, namespace: str) -> bool", optional(instance(pybind11_object)), text
    )
)
def init_libnvinfer_plugins(_logger: Any, _namespace: str) -> bool:
    """Succeed: there are no plugins of TensorRT's own to register here."""
    return True
