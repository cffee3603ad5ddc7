"""What the plugin registry does with creators: registration, lookups, duplicates, deregistration, parents."""

import gc
import weakref

import tensorrt as trt


class _Creator(trt.IPluginCreator):
    def __init__(self, name="A", version="1", namespace="", plugin=None):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = name, version, namespace
        self.field_names = trt.PluginFieldCollection([trt.PluginField("a"), trt.PluginField("b")])
        self.plugin = plugin

    def create_plugin(self, name, field_collection):
        return self.plugin


class _One(trt.IPluginCreatorV3One):
    def __init__(self, name="A", version="1", namespace=""):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = name, version, namespace
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection, phase):
        return None


class _Quick(trt.IPluginCreatorV3Quick):
    def __init__(self, name="A", version="1", namespace=""):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = name, version, namespace
        self.field_names = trt.PluginFieldCollection([])


def _mine(registry):
    return sorted(
        (type(one).__name__, one.name, one.plugin_version, one.plugin_namespace)
        for one in registry.all_creators
        if "Runner" not in one.name and "Weights" not in one.name
    )


def one_registry():
    first, second = trt.get_plugin_registry(), trt.get_plugin_registry()
    return [first is second, type(first).__name__, first.parent_search_enabled, first == second]


def register_and_find():
    registry, creator = trt.get_plugin_registry(), _Creator()
    registered = registry.register_creator(creator)
    found = registry.get_creator("A", "1")
    return [registered, found is creator, registry.get_plugin_creator("A", "1", "") is creator, _mine(registry)]


def found_by_its_whole_triple_only():
    registry = trt.get_plugin_registry()
    creators = [_Creator("A", "1", "n"), _Creator("A", "2", "n"), _Creator("B", "1", "")]
    registered = [registry.register_creator(one, one.plugin_namespace) for one in creators]
    asked = [(name, version, space) for name in "ABa" for version in ("1", "2", "") for space in ("", "n", "N")]
    answers = [registry.get_creator(*one) for one in asked]
    return [registered, [None if one is None else creators.index(one) for one in answers]]


def registered_under_another_namespace():
    registry, creator = trt.get_plugin_registry(), _Creator(namespace="own")
    registered = registry.register_creator(creator, "other")
    found = [registry.get_creator("A", "1", space) is creator for space in ("own", "other", "")]
    return [registered, found, _mine(registry), registry.deregister_creator(creator), _mine(registry)]


def duplicates():
    registry, first, second = trt.get_plugin_registry(), _Creator(), _Creator()
    answers = [registry.register_creator(one, "") for one in (first, second, first)]
    return [answers, registry.get_creator("A", "1") is first, len(_mine(registry))]


def duplicates_across_versions_of_the_interface():
    registry = trt.get_plugin_registry()
    answers = [registry.register_creator(one, "") for one in (_Creator(), _One(), _Quick())]
    return [answers, _mine(registry), type(registry.get_creator("A", "1")).__name__]


def plugin_creators_are_of_version_2():
    registry = trt.get_plugin_registry()
    for one in (_Creator("A"), _One("B"), _Quick("C")):
        registry.register_creator(one, "")
    listed = [one.name for one in registry.plugin_creator_list if len(one.name) == 1]
    return [
        listed,
        [registry.get_plugin_creator(name, "1", "") is None for name in "ABC"],
        [type(registry.get_creator(name, "1", "")).__name__ for name in "ABC"],
        _mine(registry),
        sorted(one.name for one in registry.all_creators_recursive if len(one.name) == 1),
    ]


def deregistered_twice_and_again():
    registry, creator = trt.get_plugin_registry(), _Creator()
    registry.register_creator(creator, "")
    answers = [registry.deregister_creator(creator), registry.deregister_creator(creator)]
    return [answers, registry.get_creator("A", "1"), registry.register_creator(creator, ""), len(_mine(registry))]


def deregistered_by_an_equal_one():
    registry, creator, equal = trt.get_plugin_registry(), _Creator(), _Creator()
    registry.register_creator(creator, "")
    return [registry.deregister_creator(equal), registry.get_creator("A", "1") is creator]


def deregistered_after_it_was_renamed():
    registry, creator = trt.get_plugin_registry(), _Creator()
    registry.register_creator(creator, "")
    creator.name = "B"
    return [registry.get_creator("A", "1"), registry.get_creator("B", "1"), registry.deregister_creator(creator)]


def registered_without_a_name():
    class Nameless(trt.IPluginCreator):
        pass

    return trt.get_plugin_registry().register_creator(Nameless(), "")


def registered_without_a_version():
    creator = trt.IPluginCreator()
    creator.name, creator.plugin_namespace = "A", ""
    return trt.get_plugin_registry().register_creator(creator, "")


def registered_with_empty_names():
    registry, creator = trt.get_plugin_registry(), _Creator("", "", "")
    return [registry.register_creator(creator, ""), registry.get_creator("", "", "") is creator]


def registered_by_a_class_attribute():
    class Named(trt.IPluginCreator):
        name = "A"
        plugin_version = "1"
        plugin_namespace = ""

    return trt.get_plugin_registry().register_creator(Named(), "")


def what_is_no_creator():
    return trt.get_plugin_registry().register_creator(trt.IPluginV2DynamicExt(), "")


def nothing_at_all():
    return trt.get_plugin_registry().register_creator(None, "")


def a_creator_that_nobody_holds():
    registry, creator = trt.get_plugin_registry(), _Creator()
    registry.register_creator(creator, "")
    seen = weakref.ref(creator)
    del creator
    gc.collect()
    return seen() is None


def a_creator_is_given_back_as_it_is():
    registry, creator = trt.get_plugin_registry(), _Creator()
    creator.secret = 5
    registry.register_creator(creator, "")
    return [registry.get_creator("A", "1").secret, type(registry.get_creator("A", "1")).__name__]


def parent_search():
    registry = trt.get_plugin_registry()
    registry.parent_search_enabled = False
    off = registry.parent_search_enabled
    registry.parent_search_enabled = True
    return [off, registry.parent_search_enabled]


def parent_search_takes_a_bool():
    trt.get_plugin_registry().parent_search_enabled = "yes"


def names_of_all_kinds():
    registry = trt.get_plugin_registry()
    names = ["é☃", "a b", "a/b", "x" * 300, "\t"]
    answers = [registry.register_creator(_Creator(name), "") for name in names]
    return [answers, [registry.get_creator(name, "1").name for name in names]]


def looked_up_with_keywords():
    registry, creator = trt.get_plugin_registry(), _Creator(namespace="n")
    registry.register_creator(creator=creator, plugin_namespace="n")
    return registry.get_creator(type="A", version="1", plugin_namespace="n") is creator


def a_library_that_is_not_there():
    return trt.get_plugin_registry().load_library("/no/such/library.so")


def an_error_recorder_of_its_own():
    registry = trt.get_plugin_registry()
    before = registry.error_recorder
    registry.error_recorder = None
    return [before, registry.error_recorder]
