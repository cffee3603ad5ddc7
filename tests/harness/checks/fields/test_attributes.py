"""The attribute whose value a copy lost is found by its name; code of the plugin does not run for it."""

from harness.checks.fields.attributes import differing_attribute


class Plugin:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Hostile:
    def __eq__(self, other):
        raise AssertionError

    __hash__ = None


def test_the_first_attribute_that_differs_is_shown_with_both_values():
    one, other = Plugin(name="Scale", factor=1.5, axes=[1, 2]), Plugin(name="Scale", factor=1.0, axes=[1, 3])
    assert differing_attribute(one, other) == ("factor", "1.5", "1.0")
    assert differing_attribute(Plugin(axes=[1, 2]), Plugin(axes=[1, 3])) == ("axes", "[1, 2]", "[1, 3]")


def test_equal_objects_and_values_that_need_code_of_the_plugin_show_nothing():
    assert differing_attribute(Plugin(factor=1.5), Plugin(factor=1.5)) is None
    assert differing_attribute(Plugin(held=Hostile()), Plugin(held=Hostile())) is None
    assert differing_attribute(Plugin(axes=(Hostile(),)), Plugin(axes=(Hostile(),))) is None
    assert differing_attribute(Plugin(factor=1.5), Plugin()) is None


def test_an_object_without_attributes_of_its_own_shows_nothing():
    assert differing_attribute(object(), object()) is None
