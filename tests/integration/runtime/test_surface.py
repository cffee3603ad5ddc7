"""The measured surface of 10.16.1.11: enumerations with their values, and the members of the classes there are."""

import json
import operator
import pathlib

import pytest

import reference_runtime as trt

SURFACE = json.loads((pathlib.Path(__file__).parents[2] / "data" / "runtime" / "surface.json").read_text())


def found(name):
    return operator.attrgetter(name)(trt)


@pytest.mark.parametrize("name", SURFACE["enums"])
def test_enumeration_has_the_measured_members(name):
    members = found(name).__members__
    assert {member: int(value) for member, value in members.items()} == SURFACE["enums"][name]


@pytest.mark.parametrize("name", SURFACE["classes"])
def test_class_has_the_measured_bases(name):
    bases = [base.__name__ for base in found(name).__mro__[1:-2]]
    assert bases == SURFACE["classes"][name]["bases"]


@pytest.mark.parametrize("name", SURFACE["classes"])
def test_class_has_the_measured_public_members_and_no_others(name):
    measured = {member for member in SURFACE["classes"][name]["members"] if not member.startswith("_")}
    there = {member for member in dir(found(name)) if not member.startswith("_")}
    assert there == measured


@pytest.mark.parametrize("name", SURFACE["classes"])
def test_class_has_the_measured_special_methods(name):
    measured = {member for member in SURFACE["classes"][name]["members"] if member.startswith("_")}
    assert measured <= set(dir(found(name)))


@pytest.mark.parametrize("name", SURFACE["classes"])
def test_properties_can_be_assigned_as_measured(name):
    measured = {
        member: kind == "writable property"
        for member, kind in SURFACE["classes"][name]["members"].items()
        if kind.endswith("property")
    }
    attributes = {member: attribute for cls in reversed(found(name).__mro__) for member, attribute in vars(cls).items()}
    assert {member: attributes[member].fset is not None for member in measured} == measured


def test_only_the_names_of_tensorrt_are_shown():
    assert {name for name in dir(trt) if not name.startswith("_")} <= {*trt.__all__}
    assert "native" not in dir(trt)
