"""A builder that calls a library's objects through forwarding objects gets the same answers, and each call is seen."""

import contextlib
import ctypes

import pytest

from reference_runtime.native.abi.slots import DELETE, Abi
from reference_runtime.native.abi.tables import Table, Words
from reference_runtime.native.elf.loading import Pairs
from reference_runtime.native.services.forwarding import Forwarding

ABI, PAIRS = Abi("11", texts_as_addresses=True), Pairs()
NAME = ctypes.create_string_buffer(b"Scale")
CORE, BUILD, RUNTIME = 0, 1, 2
#: C++ objects live as long as their library. `ABI` remembers functions by the address of a table.
KEPT = []


class Library:
    """Objects of C++, as a library has them: a plugin, its clone and its capabilities."""

    def __init__(self, build=("IPluginV3OneBuild", 1)):
        self.calls, self.events = [], []
        self.clone = self.object("IPluginV3", "PLUGIN", 1, {})
        interface, version = build
        self.build = self.object(
            interface, "PLUGIN_V3ONE_BUILD", version, {"getNbOutputs": lambda _: 3, "getAliasedInput": lambda *_: 1}
        )
        self.core = self.object(
            "IPluginV3OneCore", "PLUGIN_V3ONE_CORE", 1, {"getPluginName": lambda _: ctypes.addressof(NAME)}
        )
        parts = {CORE: self.core, BUILD: self.build, RUNTIME: None}
        methods = {
            "clone": lambda _: self.clone,
            "getCapabilityInterface": lambda _, kind: parts[kind],
            DELETE: self.calls.append,
        }
        self.plugin = self.object("IPluginV3", "PLUGIN", 1, methods)

    def object(self, interface, kind, version, methods):
        table = Table(ABI, interface, methods, info=pair(kind, version))
        words = Words(table.address)
        KEPT.extend([table, words])
        return words.address

    @contextlib.contextmanager
    def seen(self, this, interface, method):
        self.events.append((this, interface, method))
        yield
        self.events.append("returned")


KINDS = {}


def pair(kind, version):
    if (kind, version) not in KINDS:
        KINDS[kind, version] = PAIRS.function(kind, version, 0)
    return KINDS[kind, version]


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def plugin(library):
    return forwarded(library)


def forwarded(library):
    """Return what forwards to the plugin of a library."""
    forwarding = Forwarding("11", Pairs(), library.seen)
    KEPT.append(forwarding)
    return forwarding.of(library.plugin, "IPluginV3")


def test_a_call_is_seen_while_it_runs_and_forwarded(library, plugin):
    ABI.call(plugin, "IPluginV3", DELETE)
    assert library.calls == [library.plugin]
    assert library.events == [(library.plugin, "IPluginV3", DELETE), "returned"]


def test_a_clone_forwards_too_and_is_one_object(library, plugin):
    clone = ABI.call(plugin, "IPluginV3", "clone")
    assert clone not in {library.clone, plugin}
    assert ABI.call(plugin, "IPluginV3", "clone") == clone
    ABI.call(clone, "IPluginV3", "clone")
    assert library.events[-2] == (library.clone, "IPluginV3", "clone")


def test_a_capability_answers_as_the_librarys_does(library, plugin):
    build = ABI.call(plugin, "IPluginV3", "getCapabilityInterface", BUILD)
    assert ABI.call(build, "IPluginV3OneBuild", "getNbOutputs") == 3
    info = ABI.call(build, "IVersionedInterface", "getInterfaceInfo")
    assert (info.kind, info.major, info.minor) == (b"PLUGIN_V3ONE_BUILD", 1, 0)
    core = ABI.call(plugin, "IPluginV3", "getCapabilityInterface", CORE)
    assert ABI.call(core, "IPluginV3OneCore", "getPluginName") == ctypes.addressof(NAME)
    assert library.events[-2] == (library.core, "IPluginV3OneCore", "getPluginName")


def test_a_null_pointer_stays_one(plugin):
    assert not ABI.call(plugin, "IPluginV3", "getCapabilityInterface", RUNTIME)


def test_a_second_build_interface_has_its_own_method():
    library = Library(("IPluginV3OneBuildV2", 2))
    plugin = forwarded(library)
    build = ABI.call(plugin, "IPluginV3", "getCapabilityInterface", BUILD)
    assert ABI.call(build, "IPluginV3OneBuildV2", "getAliasedInput", 0) == 1
