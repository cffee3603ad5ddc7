"""A builder that calls a library's objects through forwarding objects gets the same answers, and each call is seen.

The listener hears of each mistake of the library, and the builder goes on.
"""

import contextlib
import ctypes

import pytest

from harness.checks.observation.in_a_fork import apart
from reference_runtime.native.abi.slots import DELETE, Abi
from reference_runtime.native.abi.tables import Table, Words
from reference_runtime.native.elf.loading import Pairs
from reference_runtime.native.library import crash_report
from reference_runtime.native.services.forwarding import Forwarding


class OncePairs(Pairs):
    """Functions that tell a kind, each once: there is room for few."""

    def function(self, kind, major, minor):
        if (kind, major, minor) not in KINDS:
            KINDS[kind, major, minor] = super().function(kind, major, minor)
        return KINDS[kind, major, minor]


KINDS = {}
ABI, PAIRS = Abi("11", texts_as_addresses=True), OncePairs()
NAME = ctypes.create_string_buffer(b"Scale")
CORE, BUILD, RUNTIME = 0, 1, 2
FLOAT, HALF, INT8 = 0, 1, 2
SIZE = ctypes.sizeof(ABI.structures.type_named("DynamicPluginTensorDesc"))
#: C++ objects live as long as their library. `ABI` remembers functions by the address of a table.
KEPT = []


class Library:
    """Objects of C++, as a library has them: a plugin, its clone and its capabilities."""

    def __init__(self, build=("IPluginV3OneBuild", 1), **methods_of_build):
        self.calls, self.events, self.answers, self.told = [], [], [], []
        self.clone = self.object("IPluginV3", "PLUGIN", 1, {DELETE: self.calls.append})
        interface, version = build
        self.build = self.object(
            interface,
            "PLUGIN_V3ONE_BUILD",
            version,
            {"getNbOutputs": lambda _: 3, "getAliasedInput": lambda *_: 1, **methods_of_build},
        )
        self.core = self.object(
            "IPluginV3OneCore", "PLUGIN_V3ONE_CORE", 1, {"getPluginName": lambda _: ctypes.addressof(NAME)}
        )
        parts = self.parts = {CORE: self.core, BUILD: self.build, RUNTIME: None}
        methods = {
            "clone": lambda _: self.clone,
            "getCapabilityInterface": lambda _, kind: parts[kind],
            DELETE: self.calls.append,
        }
        self.plugin = self.object("IPluginV3", "PLUGIN", 1, methods)

    def object(self, interface, kind, version, methods):
        table = Table(ABI, interface, methods, info=PAIRS.function(kind, version, 0))
        words = Words(table.address)
        KEPT.extend([table, words])
        return words.address

    @contextlib.contextmanager
    def calling(self, interface, method):
        self.events.append((interface, method))
        yield
        self.events.append("returned")

    def answered(self, method, _arguments, answer):
        self.answers.append((method, answer))

    def tell(self, method, about, what):
        self.told.append((method, about, what))

    def lacking(self, error):
        self.told.append(str(error))


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def plugin(library):
    return forwarded(library)


def forwarded(library):
    """Return what forwards to the plugin of a library."""
    forwarding = Forwarding("11", PAIRS, library)
    KEPT.append(forwarding)
    return forwarding.of(library.plugin, "IPluginV3")


def test_a_call_is_seen_while_it_runs_and_forwarded(library, plugin):
    ABI.call(plugin, "IPluginV3", DELETE)
    assert library.calls == [library.plugin]
    assert library.events == [("IPluginV3", DELETE), "returned"]


def test_a_clone_forwards_too_and_is_one_object(library, plugin):
    clone = ABI.call(plugin, "IPluginV3", "clone")
    assert clone not in {library.clone, plugin}
    assert ABI.call(plugin, "IPluginV3", "clone") == clone
    ABI.call(clone, "IPluginV3", "clone")
    assert library.events[-2] == ("IPluginV3", "clone")


def test_a_capability_answers_as_the_librarys_does(library, plugin):
    build = ABI.call(plugin, "IPluginV3", "getCapabilityInterface", BUILD)
    assert ABI.call(build, "IPluginV3OneBuild", "getNbOutputs") == 3
    info = ABI.call(build, "IVersionedInterface", "getInterfaceInfo")
    assert (info.kind, info.major, info.minor) == (b"PLUGIN_V3ONE_BUILD", 1, 0)
    core = ABI.call(plugin, "IPluginV3", "getCapabilityInterface", CORE)
    assert ABI.call(core, "IPluginV3OneCore", "getPluginName") == ctypes.addressof(NAME)
    assert library.events[-2] == ("IPluginV3OneCore", "getPluginName")


def test_a_null_pointer_stays_one(plugin):
    assert not ABI.call(plugin, "IPluginV3", "getCapabilityInterface", RUNTIME)


def test_a_second_build_interface_has_its_own_method():
    library = Library(("IPluginV3OneBuildV2", 2))
    plugin = forwarded(library)
    build = ABI.call(plugin, "IPluginV3", "getCapabilityInterface", BUILD)
    assert ABI.call(build, "IPluginV3OneBuildV2", "getAliasedInput", 0) == 1


def test_a_plugin_that_is_destroyed_twice_is_deleted_once(library, plugin):
    for _ in range(2):
        ABI.call(plugin, "IPluginV3", DELETE)
    assert library.calls == [library.plugin]


def test_a_plugin_at_the_address_of_a_destroyed_one_is_another(library, plugin):
    clone = ABI.call(plugin, "IPluginV3", "clone")
    ABI.call(clone, "IPluginV3", DELETE)
    again = ABI.call(plugin, "IPluginV3", "clone")
    assert again != clone
    ABI.call(again, "IPluginV3", DELETE)
    assert library.calls == [library.clone, library.clone]
    assert library.told == []


def test_a_clone_that_was_there_before_is_told(library, plugin):
    ABI.call(plugin, "IPluginV3", "clone")
    ABI.call(plugin, "IPluginV3", "clone")
    assert library.told == [("clone", " of itself", "returned a plugin that it had returned before")]


def test_null_and_capabilities_of_another_kind_are_told(library, plugin):
    ABI.call(plugin, "IPluginV3", "getCapabilityInterface", RUNTIME)
    library.parts[CORE] = library.build
    ABI.call(plugin, "IPluginV3", "getCapabilityInterface", CORE)
    assert library.told == [
        ("getCapabilityInterface", "", "returned a null pointer"),
        (
            "getCapabilityInterface",
            " of another kind",
            "returned an object that reports the kind 'PLUGIN_V3ONE_BUILD' 1",
        ),
    ]


def build_of(**methods):
    """Return a library, and what forwards to its build capability, whose methods are given."""
    library = Library(**methods)
    return library, ABI.call(forwarded(library), "IPluginV3", "getCapabilityInterface", BUILD)


def types_of(build, count=1):
    """Ask for types of outputs, and return the status and what the builder has then."""
    made, given = (ctypes.c_int32 * count)(*[INT8] * count), (ctypes.c_int32 * 1)(HALF)
    status = ABI.call(
        build, "IPluginV3OneBuild", "getOutputDataTypes", ctypes.addressof(made), count, ctypes.addressof(given), 1
    )
    return status, [*made], [*given]


def write(address, place, value):
    ctypes.c_int32.from_address(address + 4 * place).value = value
    return 0


@pytest.mark.parametrize(
    ("answer", "told", "types"),
    [
        (lambda _, made, *__: write(made, 0, FLOAT), [], [FLOAT]),
        (lambda *_: 0, ["made an error: it left the type of output 0 of 1 unset"], [INT8]),
        (
            lambda _, made, *__: write(made, 0, FLOAT) or write(made, 1, FLOAT),
            ["made an error: memory behind an argument was written"],
            [FLOAT],
        ),
        (
            lambda _, made, *__: write(made, 0, FLOAT) or write(made, -1, HALF),
            ["made an error: memory in front of an argument was written"],
            [FLOAT],
        ),
        (
            lambda _, made, __, given, *___: write(made, 0, FLOAT) or write(given, 0, FLOAT),
            ["made an error: an argument behind a pointer to const was changed"],
            [FLOAT],
        ),
        (lambda _, made, *__: write(made, 0, FLOAT) or 7, ["returned 7"], [FLOAT]),
    ],
    ids=["sound", "unset", "behind", "in front", "constants", "status"],
)
def test_results_beside_the_array_or_left_out_are_told_and_the_builder_does_not_see_them(answer, told, types):
    library, build = build_of(getOutputDataTypes=answer)
    _, made, given = types_of(build)
    assert [what for _, _, what in library.told] == told
    assert {(method, about) for method, about, _ in library.told} <= {("getOutputDataTypes", "")}
    assert (made, given) == (types, [HALF])


def shapes_of(build, *extents):
    kind = ABI.structures.type_named("DimsExprs")
    made, given = (kind * 1)(), (kind * 1)(kind(len(extents), (ctypes.c_void_p * 8)(*extents)))
    arguments = (ctypes.addressof(given), 1, 0, 0, ctypes.addressof(made), 1, 0)
    ABI.call(build, "IPluginV3OneBuild", "getOutputShapes", *arguments)
    return made[0]


def copy_shape(rank, *extents):
    def answer(_, given, __, ___, ____, made, *_____):
        ctypes.memmove(made, given, ctypes.sizeof(ABI.structures.type_named("DimsExprs")))
        shape = ABI.structures.type_named("DimsExprs").from_address(made)
        shape.nbDims = rank
        for place, extent in enumerate(extents):
            shape.d[place] = extent
        return 0

    return answer


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (copy_shape(2), []),
        (lambda *_: 0, ["made an error: it left the shape of output 0 of 1 unset"]),
        (copy_shape(9), ["made an error: a shape has 9 dimensions, but at most 8 are possible"]),
        (copy_shape(2, 0), ["made an error: dimension 0 of a shape is a null pointer"]),
    ],
    ids=["sound", "unset", "rank", "null"],
)
def test_shapes_that_are_not_whole_are_told(answer, told):
    library, build = build_of(getOutputShapes=answer)
    shapes_of(build, 0x1000, 0x2000)
    assert [what for _, _, what in library.told] == told


def query(build, pos, types=(FLOAT, HALF)):
    described = (ABI.structures.type_named("DynamicPluginTensorDesc") * len(types))()
    for place, kind in enumerate(types):
        described[place].desc.type = kind
    return ABI.call(
        build, "IPluginV3OneBuild", "supportsFormatCombination", pos, ctypes.addressof(described), 1, len(types) - 1
    )


def described(address, place):
    return ABI.structures.type_named("DynamicPluginTensorDesc").from_address(address + SIZE * place).desc.type


def asked_apart(answer, pos):
    """Return a query's answer and what was told, in a process in which accesses behind lent memory are forgiven."""

    def ask():
        crash_report.install(2)
        library, build = build_of(supportsFormatCombination=answer)
        return [query(build, pos), library.told]

    return apart(ask)


@pytest.mark.parametrize(
    ("answer", "pos", "returned", "told"),
    [
        (lambda _, pos, given, *__: described(given, pos) == FLOAT, 0, True, []),
        (lambda _, __, given, *___: described(given, 1) != 99, 0, True, []),
        (
            lambda _, __, given, *___: described(given, 1) == HALF,
            0,
            True,
            [" past pos", "looked past pos=0: it returned True, and False with other content there"],
        ),
        (
            lambda _, __, given, *___: described(given, 2) == FLOAT,
            1,
            True,
            ["", "made an error: memory behind an argument was read"],
        ),
    ],
    ids=["sound", "reads without need", "depends on what it reads", "reads beyond the array"],
)
def test_a_query_that_reads_what_is_not_for_it_gets_it_and_is_told_if_it_matters(answer, pos, returned, told):
    assert asked_apart(answer, pos) == [returned, [["supportsFormatCombination", *told]] if told else []]


def test_a_write_far_behind_an_array_hits_nothing_and_is_told():
    def ask():
        crash_report.install(2)
        library, build = build_of(getOutputDataTypes=lambda _, made, *__: write(made, 0, HALF) or write(made, 1000, 1))
        return [types_of(build)[1], [what for *_, what in library.told]]

    assert apart(ask) == [[HALF], ["made an error: memory behind an argument was written"]]
