import threading

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.registry.registry import PluginRegistry, RegistryEvent, passing_incomplete_creators


def name_it(creator, name="P", version="1", namespace=""):
    for attribute, value in (("name", name), ("plugin_version", version), ("plugin_namespace", namespace)):
        if value is not None:
            setattr(creator, attribute, value)
    return creator


class Creator(trt.IPluginCreator):
    def __init__(self, *identity, **named):
        super().__init__()
        name_it(self, *identity, **named)


@pytest.fixture
def registry():
    return PluginRegistry()


def test_a_creator_is_found_by_its_whole_triple_and_no_less(registry):
    creator = Creator("P", "1", "ns")
    assert registry.register_creator(creator, "ns") is True
    assert registry.get_creator("P", "1", "ns") is creator
    for triple in (("Q", "1", "ns"), ("P", "2", "ns"), ("P", "1", "")):
        assert registry.get_creator(*triple) is None
    assert registry.get_plugin_creator(type="P", version="1", plugin_namespace="ns") is creator


def test_a_taken_triple_is_refused_and_the_first_creator_stays(registry):
    first, second = Creator(), Creator()
    assert registry.register_creator(first)
    assert registry.register_creator(second, "") is False
    assert registry.get_creator("P", "1") is first


def test_one_other_part_of_the_triple_is_enough(registry):
    creators = [Creator(), Creator("Q"), Creator(version="2"), Creator(namespace="ns")]
    assert all(registry.register_creator(creator, creator.plugin_namespace) for creator in creators)
    assert registry.all_creators == creators == registry.plugin_creator_list


@pytest.mark.parametrize("missing", ["name", "version"])
def test_a_creator_without_name_or_version_is_refused_with_a_complaint(registry, missing, capfd):
    assert registry.register_creator(Creator(**{missing: None})) is False
    told = {"name": "name", "version": "plugin_version"}[missing]
    assert capfd.readouterr().err == (f"[ERROR] Exception caught in {told}(): AttributeError: {told} not initialized\n")


def test_a_creator_without_namespace_is_where_the_original_crashes(registry):
    creator = Creator(namespace=None)
    with pytest.raises(NativeCrash, match="without a plugin_namespace"):
        registry.register_creator(creator, "")
    assert registry.events == [RegistryEvent("register_creator", creator, "", result=False)]


def test_a_class_attribute_is_no_name(registry):
    class Shadowed(trt.IPluginCreator):
        name = "P"
        plugin_version = "1"
        plugin_namespace = ""

    assert registry.register_creator(Shadowed()) is False


def test_another_namespace_than_its_own_makes_a_creator_unreachable(registry):
    first, strayed = Creator(namespace=""), Creator(namespace="acme")
    registry.register_creator(first, "")
    assert registry.register_creator(strayed, "") is True
    assert registry.get_creator("P", "1", "") is None
    assert registry.get_creator("P", "1", "acme") is None
    assert registry.deregister_creator(strayed) is False


def test_a_deregistered_creator_is_gone_and_cannot_go_twice(registry):
    creator = Creator()
    registry.register_creator(creator)
    assert registry.deregister_creator(creator) is True
    assert registry.get_creator("P", "1") is None
    assert registry.deregister_creator(creator) is False


def test_an_equal_creator_does_not_deregister_another(registry):
    creator = Creator()
    registry.register_creator(creator)
    assert registry.deregister_creator(Creator()) is False
    assert registry.get_creator("P", "1") is creator


def test_what_is_not_found_is_looked_for_in_the_parent(registry):
    ours, theirs = Creator("P"), Creator("Q")
    registry.register_creator(theirs)
    child = PluginRegistry(parent=registry)
    child.register_creator(ours)
    assert child.get_creator("Q", "1") is theirs
    assert child.all_creators == [ours]
    assert child.all_creators_recursive == [ours, theirs]
    child.parent_search_enabled = False
    assert child.get_creator("Q", "1") is None
    assert child.all_creators_recursive == [ours]


def test_a_local_creator_goes_before_the_parents(registry):
    registry.register_creator(Creator())
    child, ours = PluginRegistry(parent=registry), Creator()
    child.register_creator(ours)
    assert child.get_creator("P", "1") is ours


def test_events_tell_of_refusals_too(registry):
    creator = Creator()
    registry.register_creator(creator)
    registry.register_creator(creator)
    registry.deregister_creator(creator)
    assert [(event.verb, event.result) for event in registry.events] == [
        ("register_creator", True),
        ("register_creator", False),
        ("deregister_creator", True),
    ]


def test_a_snapshot_can_be_restored(registry):
    kept, dropped = Creator(), Creator("Q")
    registry.register_creator(kept)
    before = registry.snapshot()
    registry.register_creator(dropped)
    registry.restore(before)
    assert registry.all_creators == [kept]


def test_of_many_threads_one_wins(registry):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(registry.register_creator(Creator()))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * 15 + [True]


@pytest.mark.parametrize("wrong", [None, 3, object()])
def test_only_creators_can_be_registered(registry, wrong):
    with pytest.raises(TypeError, match=r"register_creator\(\): incompatible function arguments"):
        registry.register_creator(wrong)


def test_there_is_one_global_registry():
    assert trt.get_plugin_registry() is trt.get_plugin_registry()
    assert type(trt.get_plugin_registry()).__name__ == "IPluginRegistry"
    assert trt.get_builder_plugin_registry(trt.EngineCapability.STANDARD) is trt.get_plugin_registry()


def test_tensorrts_own_plugins_are_none():
    before = trt.get_plugin_registry().all_creators
    assert trt.init_libnvinfer_plugins(trt.Logger(), "") is True
    assert trt.init_libnvinfer_plugins(None, namespace="") is True
    assert trt.get_plugin_registry().all_creators == before


@pytest.mark.parametrize("kind", [trt.IPluginCreatorV3One, trt.IPluginCreatorV3Quick])
class TestCreatorsOfVersion3:
    def test_is_registered_found_and_deregistered(self, registry, kind):
        creator = name_it(kind(), namespace="ns")
        assert registry.register_creator(creator, "ns") is True
        assert registry.get_creator("P", "1", "ns") is creator
        assert registry.register_creator(name_it(kind(), namespace="ns"), "ns") is False
        assert registry.deregister_creator(creator) is True
        assert registry.get_creator("P", "1", "ns") is None

    def test_the_lookup_of_older_creators_does_not_find_it(self, registry, kind):
        registry.register_creator(name_it(kind()))
        assert registry.get_plugin_creator("P", "1") is None

    def test_it_is_listed_before_older_ones_and_not_among_them(self, registry, kind):
        older, newer = Creator(), name_it(kind(), "Q")
        for creator in (older, newer):
            registry.register_creator(creator)
        assert registry.all_creators == registry.all_creators_recursive == [newer, older]
        assert registry.plugin_creator_list == [older]

    def test_it_takes_the_triple_of_an_older_one(self, registry, kind):
        registry.register_creator(name_it(kind()))
        assert registry.register_creator(Creator()) is False


@pytest.mark.parametrize(("older_first", "registered"), [(True, True), (False, False)])
def test_of_two_kinds_of_creator_in_one_the_older_is_asked_for_its_names(registry, older_first, registered):
    bases = (trt.IPluginCreator, trt.IPluginCreatorV3One)

    def initialise(self):
        for base in bases:
            base.__init__(self)

    cls = type("Both", bases if older_first else bases[::-1], {"__init__": initialise})
    assert registry.register_creator(name_it(cls())) is registered


def test_a_plugin_that_is_its_own_creator_has_the_names_of_the_class_that_it_names_first(registry):
    class Both(trt.IPluginV3OneCore, trt.IPluginCreatorV3One):
        def __init__(self):
            trt.IPluginV3OneCore.__init__(self)
            trt.IPluginCreatorV3One.__init__(self)

    with pytest.raises(NativeCrash, match="without a plugin_namespace"):
        registry.register_creator(name_it(Both()))


@pytest.mark.parametrize(("identity", "outcome"), [((None, None, None), False), (("P", None, None), NativeCrash)])
def test_the_namespace_is_asked_for_after_the_name_and_before_the_version(registry, identity, outcome):
    if outcome is NativeCrash:
        with pytest.raises(NativeCrash):
            registry.register_creator(Creator(*identity))
    else:
        assert registry.register_creator(Creator(*identity)) is outcome


@pytest.mark.parametrize("lacking", ["name", "version", "namespace"])
def test_a_test_tool_can_go_on_past_an_incomplete_creator(lacking):
    creator = Creator(**{lacking: None})
    registry = trt.get_plugin_registry()
    with passing_incomplete_creators():
        assert registry.register_creator(creator, "") is True
        assert creator not in registry.all_creators
    assert registry.events[-1] == RegistryEvent("register_creator", creator, "", result=True)


def test_afterwards_an_incomplete_creator_is_refused_as_ever():
    with passing_incomplete_creators():
        pass
    assert trt.get_plugin_registry().register_creator(Creator(version=None), "") is False
    with pytest.raises(NativeCrash):
        trt.get_plugin_registry().register_creator(Creator(namespace=None), "")
