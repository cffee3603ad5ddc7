"""The parity report tells present, missing and different members apart, and what is asked of each level is there."""

import subprocess
import sys
import types
from pathlib import Path

import pytest

from harness.frontends.cli import main
from harness.frontends.cli.parity import compare, surface, text
from reference_runtime.bound.bound_class import attribute, pybind11_object
from reference_runtime.bound.conversions import int32
from reference_runtime.bound.overloads import Overload, bound

HOME = Path(__file__).parents[5]
SURFACE = surface.Surface(
    version="1",
    enums={"Kind": {"A": 0, "B": 1}},
    classes={
        "Thing": {
            "call": surface.Member("method", ("(self: Thing, n: typing.SupportsInt) -> None",)),
            "size": surface.Member("property"),
            "name": surface.Member("writable property"),
            "stub": surface.Member("method"),
            "gone": surface.Member("method"),
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
    return compare.compare(types.SimpleNamespace(**names), SURFACE, "10")


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
        "from harness.frontends.cli.parity import compare as parity\n"
        f"found = parity.measure({level!r})\n"
        "print([(p.name, p.missing, p.different) for p in found.needed if p.missing or p.different])"
    )
    done = subprocess.run(  # noqa: S603 - our own code; a level is fixed once for a process
        [sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("level", surface.LEVELS)
def test_everything_around_plugins_is_there_at_each_level(level):
    assert measured(level) == "[]"


def test_the_command_prints_the_report(monkeypatch, capsys):
    report = compare.Report("10", SURFACE, compared(Thing=Thing).parts, ())
    monkeypatch.setattr(compare, "measure", lambda _level: report)
    assert main.main(["parity"]) == 0
    shown = capsys.readouterr().out
    assert "TensorRT 1, API level 10" in shown
    assert "missing stub, gone" in shown
    assert "names that this level does not have: Thing.more" in shown


def test_long_lists_are_cut_unless_all_is_asked_for():
    names = tuple("abcdefgh")
    report = compare.Report("10", SURFACE, (compare.Part("Thing", "class", names, names),), ())
    assert "and 2 more (--verbose)" in text.report(report)
    assert "missing a, b, c, d, e, f, g, h" in text.report(report, verbose=True)


def test_the_surfaces_are_those_of_the_levels():
    assert [surface.load(level).version.partition(" ")[0] for level in surface.LEVELS] == [
        "8.6",
        "10.16.1.11",
        "11.4.0.106",
    ]
    assert set(surface.load("10").classes) >= surface.MUST_HAVE
