import copyreg
import gc
import pickle
import weakref

import pytest

from reference_runtime.bound import bound_class
from reference_runtime.bound.bound_class import attribute, pybind11_object, static_property
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overloads import Overload, constructor
from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt


class One(pybind11_object, bound=True):
    limit = static_property(lambda _cls: 5)
    held = attribute(lambda self: bound_class.state(self)["held"])

    @constructor(Overload("(self: One) -> None"))
    def __init__(self):
        bound_class.state(self)["held"] = "one"


class Other(pybind11_object, bound=True):
    @constructor(Overload("(self: Other) -> None"))
    def __init__(self):
        bound_class.state(self)["other"] = "other"


class Unconstructible(pybind11_object, bound=True):
    pass


def test_messages_of_cpython_name_a_bound_class_in_full_and_a_users_class_briefly():
    with pytest.raises(AttributeError, match=r"'tensorrt\.tensorrt\.One' object has no attribute 'foo'"):
        One().foo = 1
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Mine' and 'int'"):
        type("Mine", (One,), {})() + 1


def test_names_read_from_python_are_the_short_ones():
    assert (One.__name__, One.__qualname__, One.__module__) == ("One", "One", "tensorrt.tensorrt")
    assert repr(One) == "<class 'tensorrt.tensorrt.One'>"


def test_the_slot_is_seen_by_no_one():
    assert not {name for cls in One.__mro__ for name in vars(cls)} & {"_native", "__slots__", "__weakref__"}
    assert copyreg._slotnames(One) == []
    assert not hasattr(One(), "__dict__")


def test_bound_classes_combine_without_a_layout_conflict():
    class Both(One, Other):
        def __init__(self):
            One.__init__(self)
            Other.__init__(self)

    both = Both()
    assert (bound_class.state(both)["held"], bound_class.state(both)["other"]) == ("one", "other")


def test_each_bound_base_must_be_initialised():
    class Both(One, Other):
        def __init__(self):
            One.__init__(self)

    with pytest.raises(TypeError, match=r"tensorrt\.tensorrt\.Other\.__init__\(\) must be called when overriding"):
        Both()


def test_a_class_without_a_constructor_says_so():
    with pytest.raises(TypeError, match=r"tensorrt\.tensorrt\.Unconstructible: No constructor defined!"):
        Unconstructible()


def test_use_before_init_is_where_the_original_crashes():
    class Mine(One):
        def __init__(self):
            self.seen = self.held

    with pytest.raises(NativeCrash, match=r"A Mine was used before tensorrt\.tensorrt\.One\.__init__\(\) ran"):
        Mine()


def test_a_second_init_is_ignored():
    one = One()
    bound_class.state(one)["held"] = "changed"
    one.__init__()
    assert one.held == "changed"


def test_a_static_property_answers_for_the_class_and_refuses_assignment():
    assert (One.limit, One().limit) == (5, 5)
    with pytest.raises(AttributeError):
        One.limit = 6
    assert One.limit == 5


def test_other_class_attributes_can_be_assigned():
    class Mine(One):
        pass

    Mine.anything = 1
    assert Mine().anything == 1


def test_a_users_class_may_say_how_it_is_pickled():
    restored = pickle.loads(pickle.dumps(Named("plugin")))  # noqa: S301 - our own pickle
    assert (type(restored), restored.name) == (Named, "plugin")


class Named(One):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def __reduce__(self):
        return Named, (self.name,)


def test_keywords_of_a_class_statement_reach_the_user():
    class Base(One):
        def __init_subclass__(cls, tag=None, **others):
            super().__init_subclass__(**others)
            cls.tag = tag

    class Mine(Base, tag="kept"):
        pass

    assert Mine.tag == "kept"


@pytest.mark.parametrize("shadow", [7, property(lambda _self: 7)])
def test_read_sees_past_what_python_has_put_in_front(shadow):
    class Plugin(IPluginV2DynamicExt):
        num_outputs = shadow

    plugin = Plugin()
    assert plugin.num_outputs == 7
    assert bound_class.read(plugin, IPluginV2DynamicExt, "num_outputs") == -1
    IPluginV2.num_outputs.__set__(plugin, 2)
    assert bound_class.read(plugin, IPluginV2DynamicExt, "num_outputs") == 2


@pytest.mark.parametrize(
    ("name", "unset"),
    [("num_outputs", -1), ("plugin_type", None), ("plugin_version", None), ("plugin_namespace", None)],
)
def test_read_of_an_unset_attribute_is_silent(name, unset, capfd):
    assert bound_class.read(IPluginV2DynamicExt(), IPluginV2DynamicExt, name) == unset
    assert capfd.readouterr().err == ""


def test_objects_can_be_referred_to_weakly_and_collected_in_cycles():
    class Mine(One):
        pass

    mine = Mine()
    mine.me = mine
    reference = weakref.ref(mine)
    del mine
    gc.collect()
    assert reference() is None


def test_what_cpp_writes_runs_no_python_code():
    class Watched(IPluginV2DynamicExt):
        plugin_type = property(lambda _self: "mine")

    plugin = Watched()
    bound_class.write(plugin, IPluginV2DynamicExt, "plugin_type", "theirs")
    assert bound_class.read(plugin, IPluginV2DynamicExt, "plugin_type") == "theirs"
    assert plugin.plugin_type == "mine"


class Both(One, Other):
    def __init__(self, *initialised):
        for base in initialised:
            base.__init__(self)


def test_the_part_of_a_base_is_there_once_that_base_is_initialised():
    made = Both.__new__(Both)
    with pytest.raises(NativeCrash, match=r"before .*One\.__init__\(\) ran"):
        bound_class.state_of(made, One)
    One.__init__(made)
    assert bound_class.state_of(made, One)["held"] == "one"
    with pytest.raises(NativeCrash, match=r"The Other of a Both was used before .*Other\.__init__\(\) ran"):
        bound_class.state_of(made, Other)


def test_what_is_buried_says_why_and_keeps_its_python_half():
    class Kept(One):
        pass

    made = Kept()
    made.mine = 1
    bound_class.bury(made, "it is gone")
    for ask in (lambda: made.held, lambda: bound_class.state_of(made, One)):
        with pytest.raises(NativeCrash, match=r"^it is gone$"):
            ask()
    assert made.mine == 1
    assert not bound_class.has_native(made)


def test_assigned_is_what_came_through_the_inherited_property():
    class Shadowing(IPluginV2DynamicExt):
        plugin_type = "shadow"

    made = Shadowing()
    assert not bound_class.is_assigned(made, IPluginV2DynamicExt, "plugin_type")
    IPluginV2.plugin_type.fset(made, "text")
    assert bound_class.is_assigned(made, IPluginV2DynamicExt, "plugin_type")
    assert bound_class.read(made, IPluginV2DynamicExt, "plugin_type") == "text"
