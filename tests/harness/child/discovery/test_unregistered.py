"""Creators that a module defines and does not register: packages as people write them."""

import sys

import pytest

from harness.child.discovery.plugins import UsageProblem, discover
from reference_runtime.registry.registry import get_plugin_registry
from tests.support.stubs.creator_modules import CREATOR, defined, registered

BASE = """
class Base(trt.IPluginCreator):
    PLUGIN = None
    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = {name}, "1", ""
    def create_plugin(self, name, field_collection):
        {create}
class Own(Base):
    PLUGIN = object
    def __init__(self):
        super().__init__()
        self.name = "Own"
    def create_plugin(self, name, field_collection):
        return None
"""
USES_PLUGIN = "return self.PLUGIN(field_collection)"
NEEDS_NOTHING = "return None"


def found(module, cases=()):
    """Return the creator classes that are judged, and those that are skipped, each with the reason."""
    discovery = discover(module, cases)
    judged = [type(plugin.creator).__name__ for plugin in discovery.plugins]
    return judged, {each.cls.__name__: each.why for each in discovery.skipped}


@pytest.mark.parametrize(
    ("name", "create", "why"),
    [
        ("self.PLUGIN.__name__", NEEDS_NOTHING, "raises AttributeError: 'NoneType' object has no attribute"),
        ('"Base"', USES_PLUGIN, "PLUGIN is not set until a class derives from it, as Own does"),
        ('""', NEEDS_NOTHING, "name is not set until"),
        ('"Base"', "raise NotImplementedError", "create_plugin only raises NotImplementedError"),
        ('"Base"', 'raise NotImplementedError("derive from this")', "create_plugin only raises NotImplementedError"),
    ],
)
def test_a_base_class_that_others_complete_is_skipped(imported, name, create, why):
    judged, skipped = found(imported("mine", BASE.format(name=name, create=create)))
    assert judged == ["Own"]
    assert list(skipped) == ["Base"]
    assert why in skipped["Base"]


def test_a_base_class_that_is_complete_is_a_plugin(imported):
    judged, skipped = found(imported("mine", BASE.format(name='"Base"', create=NEEDS_NOTHING)))
    assert sorted(judged) == ["Base", "Own"]
    assert not skipped


def test_a_creator_without_a_name_from_which_none_derives_is_judged_as_it_is(imported):
    assert found(imported("mine", defined("Own").replace('"Own", "1"', '"", "1"'))) == (["Own"], {})


def test_a_class_with_an_abstract_method_is_skipped(imported):
    source = defined("Own") + (
        "import abc\nclass Abstract(trt.IPluginCreator):\n"
        "    @abc.abstractmethod\n    def create_plugin(self, name, field_collection): ...\n"
    )
    assert found(imported("mine", source)) == (["Own"], {"Abstract": "create_plugin is abstract"})


def test_a_mixin_that_leaves_create_plugin_to_others_is_skipped(imported):
    own = CREATOR.replace("trt.IPluginCreator", "Mixin").format("Own")
    source = f"class Mixin(trt.IPluginCreator):\n    pass\n{own}"
    assert found(imported("mine", source)) == (["Own"], {"Mixin": "it has no create_plugin"})


def test_a_base_class_with_the_key_of_its_subclass_leaves_the_key_to_it(imported):
    judged, skipped = found(imported("mine", defined("Base") + "class Own(Base): pass\n"))
    assert judged == ["Own"]
    assert skipped == {"Base": "Own derives from it and has its key"}


def test_a_creator_that_cannot_be_made_is_skipped_and_the_others_are_judged(imported):
    broken = (
        "class Broken(trt.IPluginCreator):\n    def __init__(self): raise OSError('no weights')\n"
        "    def create_plugin(self, name, field_collection): return None\n"
    )
    module = imported("mine", broken + defined("Own"))
    assert found(module) == (["Own"], {"Broken": "it raises OSError: no weights"})


def test_a_module_in_which_nothing_is_left_says_why(imported):
    source = defined("Own").replace("def __init__(self)", "def __init__(self, factor)")
    with pytest.raises(UsageProblem, match="Own is left out, because it cannot be made without arguments"):
        discover(imported("mine", source), ())


def test_classes_that_a_factory_makes_are_found_where_they_are_held(imported):
    factory = "def made(of):\n" + "".join(
        f"    {line}\n" for line in CREATOR.format("Made").replace('"Made",', "of,").splitlines()
    )
    imported("package.factory", factory + "    return Made\n")
    source = (
        "from package.factory import made\nFirst = made('First')\nTABLE = {'second': made('Second')}\nLIST = [First]\n"
    )
    module = imported("package", source)
    assert [plugin.key for plugin in discover(module, ()).plugins] == ["/First/1", "/Second/1"]


def test_a_module_that_only_imports_classes_stands_for_them(imported):
    imported("library", defined("Foreign"))
    assert found(imported("mine", "from library import Foreign\n"))[0] == ["Foreign"]


def test_a_module_with_classes_of_its_own_does_not_stand_for_those_that_it_imports(imported):
    imported("library", defined("Foreign"))
    assert found(imported("mine", "from library import Foreign\n" + defined("Own")))[0] == ["Own"]


def test_objects_that_raise_when_they_are_looked_at_are_passed_over(imported, monkeypatch):
    strange = (
        "class Proxy:\n    @property\n    def __class__(self): raise RuntimeError('not bound')\n"
        "proxy = Proxy()\ndef __getattr__(name): raise RuntimeError(name)\n"
    )
    monkeypatch.setitem(sys.modules, "mine.lazy", None)
    assert found(imported("mine", strange + registered("Own"))) == (["Own"], {})


@pytest.mark.parametrize("has_namespace", [True, False])
def test_a_second_search_finds_what_the_first_found(imported, has_namespace):
    """Rules share a process only while the registry is as it was. Without a namespace a creator is not registered."""
    source = defined("Own")
    if not has_namespace:
        source = source.replace(
            "self.name, self.plugin_version, self.plugin_namespace", "self.name, self.plugin_version, _"
        )
    module = imported("mine", source)
    registry = get_plugin_registry()
    before, events = registry.snapshot(), list(registry.events)
    for _ in range(2):
        discovery = discover(module, ())
        assert [(plugin.key, plugin.registered) for plugin in discovery.plugins] == [("/Own/1", False)]
        assert (registry.snapshot() == before) is not has_namespace
        discovery.withdraw()
        assert (registry.snapshot(), registry.events) == (before, events)
