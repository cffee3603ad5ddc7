"""Load a library as TensorRT's registry and applications do.

Static initialisers register its creators, or a function returns them, or a function with a known name registers them.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.native.abi import type_names
from reference_runtime.native.abi.slots import Abi
from reference_runtime.native.elf import places
from reference_runtime.native.elf.loading import Pairs
from reference_runtime.native.elf.static_data import StaticData
from reference_runtime.native.exchange.misuses import raise_noted
from reference_runtime.native.library import opened_libraries
from reference_runtime.native.library.errors import LibraryError
from reference_runtime.native.library.file_facts import look_at
from reference_runtime.native.library.registering import Registrations
from reference_runtime.native.library.stand_ins import provide, tensorrt_functions
from reference_runtime.native.proxies.creators import NativeCreator
from reference_runtime.native.proxies.dynamic import NativeV2Dynamic
from reference_runtime.native.proxies.objects import Objects
from reference_runtime.native.proxies.version_2 import NativeV2, NativeV2Ext, NativeV2IOExt
from reference_runtime.native.services.expressions import Expressions
from reference_runtime.native.services.logger import Loggers
from reference_runtime.native.services.registry import RegistryFace
from reference_runtime.native.services.resource_contexts import ResourceContexts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from reference_runtime.native.library.file_facts import FileFacts

_VERSION_2: Final = (NativeV2Dynamic, NativeV2IOExt, NativeV2Ext, NativeV2)


#: The classes that no creator instantiates: the interfaces, and a base class of NVIDIA's own plugins.
_ABSTRACT: Final = {f"nvinfer1::{each.bound.__name__}" for each in _VERSION_2} | {
    "nvinfer1::pluginInternal::BasePlugin"
}
_LIKENESS: Final = 4
"""How many first letters the names of a creator and of its plugin's class have in common, at least."""


class LoadedLibrary(Struct, frozen=True):
    """A library in this process: the facts from its file, its objects, and the proxies of its creators."""

    facts: FileFacts
    objects: Objects
    creators: tuple[Any, ...]
    loggers: Loggers
    handle: Any
    data: StaticData

    def __process_state__(self) -> object:
        """Return hashes of the library's variables, which are all of its state that may change."""
        return self.data.content()


def epoch_for(spec: str) -> str:
    """Return the epoch of an API level (``8.6``, ``10`` or ``11``): its major version."""
    return spec.partition(".")[0]


def load(path: Path, registry: Any, *, module: str, spec: str, cuda: Mapping[str, Any] | None = None) -> LoadedLibrary:
    """Load a library of plugins, and register its creators.

    Args:
        path: The library's file.
        registry: The registry of this runtime.
        module: The name of the module that the proxies' classes belong to.
        spec: The API level.
        cuda: The host device's functions of CUDA, by name, for stand-ins; None if CUDA itself is installed.

    Raises:
        LibraryError: The library cannot be loaded, or is for another version of TensorRT.
    """
    facts = look_at(path)
    epoch = epoch_for(spec)
    if facts.epoch not in {None, epoch}:
        level = "8.6" if facts.epoch == "8" else facts.epoch
        raise LibraryError(
            f"{path} was linked against TensorRT {facts.epoch} ({facts.tensorrt}), and the run is about TensorRT "
            f"{spec}: add --plugin-spec={level}"
        )
    places.know(facts.library)
    abi, pairs = Abi(epoch), Pairs()
    registrations = Registrations(registry)
    contexts = ResourceContexts(abi, pairs) if abi.has("IPluginResourceContext") else None
    objects = registrations.objects = Objects(abi, module, Expressions(abi), contexts, facts.library)
    loggers, face = Loggers(abi, pairs), RegistryFace(abi, registrations)
    provide(facts, tensorrt_functions(abi.epoch.version, face.address, loggers.logger.address), cuda)
    handle = _opened(facts)
    if cuda is not None:
        opened_libraries.watch(facts.library)
    _ask_for_creators(facts, handle, registrations, loggers)
    raise_noted()
    creators = tuple(registrations.proxies)
    for each in creators:  # an object that its constructor registered had the table of a base class then
        each.begin(objects, each.this, each.interface)
    _tell_interfaces(path, creators)
    return LoadedLibrary(facts, objects, (*creators, face), loggers, handle, StaticData.of(facts.library))


def _opened(facts: FileFacts) -> Any:
    try:
        return ctypes.CDLL(str(facts.path.resolve()), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        missing = _unresolved(facts)
        if len(missing) > 1:
            shown = ", ".join(missing)
            raise LibraryError(f"{facts.path} cannot be loaded: no library has {shown}") from None
        raise LibraryError(f"{facts.path} cannot be loaded: {_shown(str(error))}") from None


def _unresolved(facts: FileFacts) -> list[str]:
    """Return the symbols that no library defines, as written in C++; the loader's message names only the first."""
    handles = [ctypes.CDLL(None)]
    for name in facts.library.needed:
        try:
            handles.append(ctypes.CDLL(name))
        except OSError:  # noqa: PERF203 - the loader's message names the missing library
            continue
    return [
        type_names.demangled(each.name)
        for each in facts.library.undefined
        if not each.optional and not any(_has(handle, each.name) for handle in handles)
    ]


def _has(handle: Any, name: str) -> bool:
    try:
        ctypes.c_char.in_dll(handle, name)
    except ValueError:
        return False
    return True


def _shown(message: str) -> str:
    """Return the loader's message with the symbol at its end as it is written in C++."""
    head, _, symbol = message.rpartition(" ")
    return f"{head} {type_names.demangled(symbol)}"


def _ask_for_creators(facts: FileFacts, handle: Any, registrations: Registrations, loggers: Loggers) -> None:
    if "setLoggerFinder" in facts.library.exported:
        handle.setLoggerFinder.argtypes, handle.setLoggerFinder.restype = [ctypes.c_void_p], None
        handle.setLoggerFinder(loggers.finder.address)
    for entry in facts.entries[:1]:
        function = getattr(handle, entry)
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_void_p
        count = ctypes.c_int32(0)
        listed = function(ctypes.addressof(count))
        registered = {_identity(each) for each in registrations.proxies}
        for address in _addresses(listed, count.value):
            proxy = registrations.proxy(address)
            if _identity(proxy) not in registered:  # static initialisers may have registered it
                registrations.register(address, proxy.plugin_namespace)
    for name in facts.initialisers:
        function = getattr(handle, name)
        function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_char_p], ctypes.c_bool
        function(loggers.logger.address, b"")


def _addresses(array: int | None, count: int) -> list[int]:
    if not array or count <= 0:
        return []
    return [each for each in (ctypes.c_void_p * count).from_address(array) if each]


def _identity(creator: Any) -> tuple[str, str, str]:
    return creator.name, creator.plugin_version, creator.plugin_namespace


def _tell_interfaces(path: Path, creators: tuple[Any, ...]) -> None:
    """Set the plugins' class of each version 2 creator: an interface that a class with a similar name implements."""
    of_version_2 = [each for each in creators if isinstance(each, NativeCreator)]
    if not of_version_2:
        return
    classes = {
        name: base
        for name, bases in type_names.classes_in(path.resolve()).items()
        for base in [_interface_of(bases)]
        if base is not None and name not in _ABSTRACT
    }
    offered = sorted(set(classes.values()), key=_VERSION_2.index)
    for creator in of_version_2:
        named = str(type(creator).__name__).removesuffix("Creator")
        alike = {name: _likeness(named, name.rpartition("::")[2]) for name in classes}
        most = max(alike.values(), default=0)
        of_name = [classes[name] for name, length in alike.items() if length == most >= _LIKENESS]
        made = sorted(of_name, key=_VERSION_2.index)[:1] or offered[:1]
        if made:
            type(creator).plugin_class = made[0]


def _likeness(one: str, other: str) -> int:
    """Return how many first letters two names have in common, in upper or lower case."""
    pairs = zip(one.lower(), other.lower(), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


@functools.cache
def _interface_of(bases: tuple[str, ...]) -> Any:
    return next((each for each in _VERSION_2 if f"nvinfer1::{each.bound.__name__}" in bases), None)
