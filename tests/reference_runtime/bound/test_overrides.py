import re

import pytest

import reference_runtime as trt
from reference_runtime.bound import bound_class, overrides
from reference_runtime.bound.overrides import describe, find_override


class BadStr(Exception):  # noqa: N818 - the name that was measured
    def __str__(self):
        raise RuntimeError("str failed")


class Plain(trt.IPluginV2DynamicExt):
    pass


def raised(error):
    try:
        raise error
    except type(error) as caught:
        return caught


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("boom"), "ValueError: boom"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt: <EMPTY MESSAGE>"),
        (BadStr(), "BadStr: <MESSAGE UNAVAILABLE DUE TO ANOTHER EXCEPTION>"),
    ],
)
def test_an_exception_is_described_with_the_frames_it_came_through(error, words):
    first, _, frames = describe(raised(error)).partition("\n\nAt:\n")
    assert first == words
    assert frames.startswith(f"  {__file__}(")
    assert re.match(r"  .*\(\d+\): raised\n  .*\(\d+\): test_an_exception", frames)


def test_a_wrong_number_of_parameters_is_told_without_frames(capfd):
    class NoParameters(Plain):
        def initialize():
            """Take nothing, not even self."""

    assert trt.IPluginV2.initialize(NoParameters()) == -1
    assert re.fullmatch(
        r"\[ERROR\] Exception thrown from initialize\(\) TypeError: .*takes 0 positional arguments but 1 was given\n",
        capfd.readouterr().err,
    )


def test_an_override_may_be_an_attribute_of_the_object():
    plugin = Plain()
    plugin.serialize = lambda: b"abc"
    assert find_override(plugin, "serialize")() == b"abc"


def test_a_missing_override_is_remembered_for_its_class_alone():
    class Mine(Plain):
        pass

    class Derived(Mine):
        pass

    assert find_override(Mine(), "serialize") is None
    Mine.serialize = lambda _self: b"late"
    assert find_override(Mine(), "serialize") is None
    assert find_override(Derived(), "serialize") is not None


def test_an_override_that_calls_its_base_finds_nothing_and_another_object_finds_it():
    class Mine(Plain):
        def clone(self):
            other = Mine()
            return find_override(self, "clone"), find_override(other, "clone")

    own, others = Mine().clone()
    assert own is None
    assert others is not None


def test_what_is_not_callable_is_no_override():
    class Mine(Plain):
        serialize = 5

    with pytest.raises(TypeError, match="Object of type 'int' is not an instance of 'function'"):
        find_override(Mine(), "serialize")


def test_what_a_native_string_loses_at_a_nul_is_remembered_and_python_sees_a_plain_string():
    plugin = Plain()
    plugin.plugin_version = "1\0-dev"
    assert type(plugin.plugin_version) is str
    assert plugin.plugin_version == "1"
    held = bound_class.read(plugin, trt.IPluginV2DynamicExt, "plugin_version")
    assert (held, held.assigned) == ("1", "1\0-dev")


class Optional(trt.IPluginResource, bound=True):
    required = overrides.owned("Optional", "required", overrides.owned_text)
    optional = overrides.owned("Optional", "optional", overrides.owned_text, required=False, unset="nothing")


def test_only_a_required_attribute_complains_while_it_is_unset(capfd):
    made = bound_class.made(Optional)
    assert (made.required, made.optional) == (None, "nothing")
    assert capfd.readouterr().err == (
        "[ERROR] Exception caught in required(): AttributeError: required not initialized\n"
    )
    made.required = made.optional = "text"
    assert (made.required, made.optional) == ("text", "text")
    assert capfd.readouterr().err == ""
