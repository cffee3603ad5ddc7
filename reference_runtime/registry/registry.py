"""Find creators: IPluginRegistry, the global registry, and private registries for tests.

Theory. `registered_creators` keeps creators and `shared_resources` keeps resources. If a registry does not have a
creator, the search goes on in its parent, unless ``parent_search_enabled`` is False.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reference_runtime.application.error_recorder import error_recorder_of
from reference_runtime.bound.bound_class import attribute, initialise, pybind11_object, state
from reference_runtime.bound.capsules import pointer
from reference_runtime.bound.conversions import boolean, c_string, instance, optional
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, accessor, bound, bound_function
from reference_runtime.bound.overrides import text
from reference_runtime.calling.gate.gate import current_gate
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorInterface
from reference_runtime.interfaces.resources import IPluginResource
from reference_runtime.registry import plugin_libraries
from reference_runtime.registry.error_sink import RegistryErrors
from reference_runtime.registry.registered_creators import Key, RegisteredCreators, identity, is_complete, not_found
from reference_runtime.registry.shared_resources import SharedResources
from reference_runtime.values.enums import ErrorCodeTRT
from reference_runtime.values.enums_building import EngineCapability
from reference_runtime.values.logger import ILogger
from reference_runtime.values.refusals import Reason, Refused, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FAILED: Final = 1
_NO_TEXT: Final = "Unexpected exception basic_string::_M_construct null not valid"
"""TensorRT's message when it makes a string from a null pointer."""
_CREATOR = instance(IPluginCreatorInterface)
_TRIPLE = (text, text, text)


class RegistryEvent(NamedTuple):
    """One registration or deregistration; ``result`` is False if it was refused."""

    verb: str
    creator: IPluginCreatorInterface
    namespace: str
    result: bool


def _stored(registry: IPluginRegistry) -> RegisteredCreators:
    stored: RegisteredCreators = state(registry)["_stored"]
    return stored


def _recursive(registry: IPluginRegistry) -> list[IPluginCreatorInterface]:
    parent = state(registry)["parent"]
    inherited = [] if parent is None or not state(registry)["parent_search"] else _recursive(parent)
    return [*_stored(registry).listed(), *inherited]


class IPluginRegistry(pybind11_object, bound=True):
    """The creators of plugins, by name, version and namespace, and the resources that plugins share."""

    parent_search_enabled = accessor(
        "(arg0: IPluginRegistry, arg1: bool) -> None",
        lambda self: state(self)["parent_search"],
        lambda self, value: state(self).update(parent_search=value),
        boolean,
    )
    error_recorder = error_recorder_of("IPluginRegistry")
    all_creators = attribute(lambda self: _stored(self).listed())
    all_creators_recursive = attribute(_recursive)
    plugin_creator_list = attribute(
        lambda self: [creator for creator in _stored(self).listed() if isinstance(creator, IPluginCreator)]
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
        """Store a creator; False if it has no name or version, or if its name, version and namespace are taken."""
        done = False
        with _locked(self):
            try:
                if state(self).get("_passes_incomplete") and not is_complete(creator):
                    done = True
                elif (own := identity(creator)) is None:
                    RegistryErrors(self).report(ErrorCodeTRT.UNSPECIFIED_ERROR, _NO_TEXT)
                else:
                    done = _stored(self).add(creator, own, plugin_namespace)
            finally:
                _note(self, "register_creator", creator, plugin_namespace, result=done)
        return done

    @bound(
        Overload("(self: IPluginRegistry, creator: IPluginCreator) -> bool", instance(IPluginCreator)),
        Overload("(self: IPluginRegistry, creator: IPluginCreatorInterface) -> bool", _CREATOR),
    )
    def deregister_creator(self, creator: Any) -> bool:
        """Remove a creator; False if it is not found under its name, version and namespace."""
        with _locked(self):
            own = identity(creator)
            there = None if own is None else _stored(self).find(own)
            done = there is creator
            if own is not None and done:
                _stored(self).remove(own)
            elif own is not None and there is None:
                is_old = isinstance(creator, IPluginCreator)
                why = not_found(own) if is_old else f"Plugin creator {own[0]} does not exist."
                _complain(self, "deregisterCreator", Refused(why, Reason.NOT_FOUND))
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
        """Return the creator of a name, version and namespace; ``None``, and an error, if there is none."""
        return _looked_up(self, "getCreator", (kind, version, plugin_namespace))

    @bound(
        Overload(
            "(self: IPluginRegistry, type: str, version: str, plugin_namespace: str = '') -> IPluginCreator",
            *_TRIPLE,
            defaults=[""],
        )
    )
    def get_plugin_creator(self, kind: str, version: str, plugin_namespace: str) -> Any:
        """Return the creator of a plugin of version 2; ``None``, and an error, if there is none."""
        creator = _looked_up(self, "getPluginCreator", (kind, version, plugin_namespace))
        if creator is None or isinstance(creator, IPluginCreator):
            return creator
        why = "Plugin creator with matching type, namespace and version found, but it is not of type IPluginCreator."
        _complain(self, "getPluginCreator", Refused(why, Reason.NOT_FOUND))
        return None

    @bound(
        Overload(
            "(self: IPluginRegistry, key: str, resource: IPluginResource) -> IPluginResource",
            optional(text),
            optional(instance(IPluginResource)),
        )
    )
    def acquire_plugin_resource(self, key: str | None, resource: IPluginResource | None) -> Any:
        """Return the resource that is shared under a key: a clone of the first resource offered, or ``None``."""
        return _attempted(
            self, "acquirePluginResource", lambda: _shared(self).acquire(current_gate(), key, resource), None
        )

    @bound(Overload("(self: IPluginRegistry, key: str) -> int", optional(text)))
    def release_plugin_resource(self, key: str | None) -> int:
        """Release one claim on a key; return 0, or 1 for a failure. The last release always returns 1 (measured)."""
        status: int = _attempted(
            self, "releasePluginResource", lambda: _shared(self).release(current_gate(), key), _FAILED
        )
        if status not in (0, _FAILED):
            why = f"Error Code: 4: Resource registered under key: {key} returned error code {status}"
            RegistryErrors(self).report(ErrorCodeTRT.INVALID_CONFIG, why)
        return _FAILED if status else 0

    @bound(Overload("(self: IPluginRegistry, plugin_path: str) -> typing_extensions.CapsuleType", c_string))
    def load_library(self, plugin_path: str | None) -> None:
        """Report an error and return None: this runtime does not call the C++ plugins of a library."""
        if plugin_path is None:
            RegistryErrors(self).report(ErrorCodeTRT.UNSPECIFIED_ERROR, _NO_TEXT)
            return
        _attempted(self, "loadLibrary", lambda: plugin_libraries.load(plugin_path), None)

    @bound(Overload("(self: IPluginRegistry, handle: typing_extensions.CapsuleType) -> None", pointer))
    def deregister_library(self, handle: int) -> None:
        """Report an error for a null handle; raise NativeCrash for any other, because no library is ever loaded."""
        if handle:
            raise NativeCrash(
                f"deregister_library() was given {handle:#x}, which load_library() did not return: the genuine "
                f"bindings crash here. Pass what load_library() returned; here that is always None."
            )
        why = "condition: handle != nullptr. deregisterLibrary() requires a valid PluginLibraryHandle"
        _complain(self, "deregisterLibrary", Refused(f"Parameter check failed, {why}"))


class PluginRegistry(IPluginRegistry, bound=True, spelled="IPluginRegistry"):
    """A registry that can be constructed: that of the process, of a builder or runtime, or of a test."""

    def __init__(self, parent: IPluginRegistry | None = None) -> None:
        initialise(self, PluginRegistry)
        state(self).update(
            parent=parent, parent_search=True, _stored=RegisteredCreators(), _events=[], _lock=threading.RLock()
        )
        state(self).update(_shared=SharedResources(), _logger=None)

    @property
    def events(self) -> list[RegistryEvent]:
        """All registrations and deregistrations, also those that were refused."""
        events: list[RegistryEvent] = state(self)["_events"]
        return events

    def acquired(self) -> dict[str, int]:
        """Return the number of claims on each resource that are not released, by key."""
        return _shared(self).acquired()

    def snapshot(self) -> dict[Key, IPluginCreatorInterface]:
        """Return a copy of the current content, for `restore`."""
        return _stored(self).snapshot()

    def withdraw(self, creator: IPluginCreatorInterface) -> None:
        """Remove a creator and its events, as if it had never been registered."""
        with state(self)["_lock"]:
            self.restore({key: each for key, each in self.snapshot().items() if each is not creator})
            self.events[:] = [each for each in self.events if each.creator is not creator]

    def restore(self, stored: dict[Key, IPluginCreatorInterface]) -> None:
        """Restore a `snapshot`; `events` does not change."""
        with state(self)["_lock"]:
            state(self)["_stored"] = RegisteredCreators(stored)


def find_creator(registry: IPluginRegistry, key: Key) -> IPluginCreatorInterface | None:
    """Return the creator of a name, version and namespace, here or in a parent, or ``None``; report no error."""
    with _locked(registry):
        creator = _stored(registry).find(key)
    parent = state(registry)["parent"]
    if creator is None and parent is not None and state(registry)["parent_search"]:
        return find_creator(parent, key)
    return creator


def creator_named(registry: IPluginRegistry, key: Key) -> IPluginCreatorInterface | None:
    """Return the creator whose own attributes are a key, even if it is registered in another namespace, or ``None``."""
    with _locked(registry):
        complete = [creator for creator in _recursive(registry) if is_complete(creator)]
        return next((creator for creator in complete if identity(creator) == key), None)


def resource_users(registry: IPluginRegistry, key: str) -> int:
    """Return the number of claims on a key that are not released."""
    return _shared(registry).users(key)


def log_through(logger: ILogger, registry: IPluginRegistry | None = None) -> None:
    """Let a registry, by default that of the process, report to ``logger`` unless it has a logger."""
    RegistryErrors(registry or _GLOBAL).log_through(logger)


def _complain(registry: IPluginRegistry, where: str, refused: Refused) -> None:
    complain(f"IPluginRegistry::{where}", refused, to=RegistryErrors(registry))


def _shared(registry: IPluginRegistry) -> SharedResources:
    shared: SharedResources = state(registry)["_shared"]
    return shared


def _locked(registry: IPluginRegistry) -> threading.RLock:
    """Return the lock; raise NativeCrash if the genuine registry would deadlock."""
    _shared(registry).refuse_while_cloning()
    lock: threading.RLock = state(registry)["_lock"]
    return lock


def _attempted(registry: IPluginRegistry, where: str, work: Callable[[], Any], refused: Any) -> Any:
    """Do ``work`` under the lock; if it is refused, report that and return ``refused``."""
    with _locked(registry):
        try:
            return work()
        except Refused as error:
            _complain(registry, where, error)
            return refused


def _looked_up(registry: IPluginRegistry, where: str, key: Key) -> IPluginCreatorInterface | None:
    creator = find_creator(registry, key)
    if creator is None:
        _complain(registry, where, Refused(not_found(key), Reason.NOT_FOUND))
    return creator


def _note(
    registry: IPluginRegistry, verb: str, creator: IPluginCreatorInterface, namespace: str, *, result: bool
) -> None:
    state(registry)["_events"].append(RegistryEvent(verb, creator, namespace, result))


_GLOBAL = PluginRegistry()


@contextlib.contextmanager
def passing_incomplete_creators() -> Iterator[None]:
    """In the block, ``register_creator`` returns True for a creator without name, version or namespace.

    TensorRT refuses the creator or crashes. Here it is not stored, and a test tool can report what it lacks.
    """
    state(_GLOBAL)["_passes_incomplete"] = True
    try:
        yield
    finally:
        state(_GLOBAL)["_passes_incomplete"] = False


def own_plugins_asked_for() -> bool:
    """Return whether the application called ``init_libnvinfer_plugins``, to use TensorRT's own plugins."""
    return bool(state(_GLOBAL).get("_own_plugins", False))


@bound_function(Overload("() -> detail::accessor<detail::accessor_policies::str_attr>"))
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
def init_libnvinfer_plugins(logger: Any, _namespace: str) -> bool:
    """Keep the logger and return True, although TensorRT's own plugins do not exist here."""
    state(_GLOBAL)["_own_plugins"] = True
    if isinstance(logger, ILogger):
        log_through(logger)
    return True
