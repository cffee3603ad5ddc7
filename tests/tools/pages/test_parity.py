"""The parity report tells present, missing and different members apart, and what is asked of each level is there."""

import subprocess
import sys
import types
from pathlib import Path

import pytest
from pages import parity, surfaces

from reference_runtime.bound.bound_class import attribute, pybind11_object
from reference_runtime.bound.conversions import int32
from reference_runtime.bound.overloads import Overload, bound

HOME = Path(__file__).parents[3]
SURFACE = surfaces.Surface(
    version="1",
    enums={"Kind": {"A": 0, "B": 1}},
    classes={
        "Thing": {
            "call": surfaces.Member("method", ("(self: Thing, n: typing.SupportsInt) -> None",)),
            "size": surfaces.Member("property"),
            "name": surfaces.Member("writable property"),
            "stub": surfaces.Member("method"),
            "gone": surfaces.Member("method"),
        }
    },
    bases={"Thing": ()},
    functions={"make": ()},
    aliases={},
    whole=True,
)


class Thing(pybind11_object, bound=True):
    @bound(Overload("(self: Thing, m: typing.SupportsInt) -> None", int32))
    def call(self, m):
        """Differ in the name of the parameter."""

    size = attribute(lambda _self: 1, lambda _self, _value: None)
    name = attribute(lambda _self: "")

    def stub(self):
        """Do nothing."""
        raise NotImplementedError("not supported")

    def more(self):
        """Be a method that the surface has not."""


def compared(**names):
    return parity.compare(types.SimpleNamespace(**names), SURFACE, "10")


def test_a_member_is_missing_where_it_is_not_there_or_only_refuses():
    part = compared(Thing=Thing).parts[1]
    assert set(part.missing) == {"stub", "gone"}
    assert part.more == ("more",)


def test_signatures_and_kinds_that_differ_are_told():
    different = compared(Thing=Thing).parts[1].different
    assert set(different) == {"call", "size", "name"}
    assert different["size"] == "a writable property instead of a property"
    assert "m: typing" in different["call"]
    assert "n: typing" in different["call"]


def test_a_class_that_is_not_there_misses_all_its_members():
    assert len(compared().parts[1].missing) == 5


def test_numbers_of_an_enumeration_are_compared():
    kind = types.SimpleNamespace(__members__={"A": 0, "B": 2, "C": 3})
    part = compared(Kind=kind).parts[0]
    assert part.different == {"B": "2 instead of 1"}
    assert part.more == ("C",)


def test_names_of_the_module_that_the_level_has_not_are_told():
    assert "Other" in compared(Other=1).more


def measured(level):
    code = (
        "import sys; sys.path.insert(0, 'tools'); from pages import parity\n"
        f"found = parity.measure({level!r})\n"
        "print([(p.name, p.missing, p.different) for p in found.needed if p.missing or p.different])"
    )
    done = subprocess.run(  # noqa: S603 - our own code; a level is fixed once for a process
        [sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("level", surfaces.LEVELS)
def test_everything_around_plugins_is_there_at_each_level(level):
    assert measured(level) == "[]"


def test_the_surfaces_are_those_of_the_levels():
    assert [surfaces.load(level).version.partition(" ")[0] for level in surfaces.LEVELS] == [
        "8.6",
        "10.16.1.11",
        "11.4.0.106",
    ]
    assert set(surfaces.load("10").classes) >= surfaces.MUST_HAVE
