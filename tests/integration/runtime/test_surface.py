"""The measured surface of 10.16.1.11: enumerations with their values, and the members of the classes there are."""

import json
import operator
import pathlib

import reference_runtime as trt

SURFACE = json.loads((pathlib.Path(__file__).parents[2] / "data" / "runtime" / "surface.json").read_text())


def found(name):
    return operator.attrgetter(name)(trt)


CLASSES = {name: found(name) for name in SURFACE["classes"]}


def measured(about):
    """Return what was measured of each class: its bases, or its members with their kinds."""
    assert SURFACE["classes"]
    return {name: facts[about] for name, facts in SURFACE["classes"].items()}


def public(members):
    return {member for member in members if not member.startswith("_")}


def test_enumerations_have_the_measured_members():
    assert SURFACE["enums"] == {
        name: {member: int(value) for member, value in found(name).__members__.items()} for name in SURFACE["enums"]
    }


def test_classes_have_the_measured_bases():
    bases = {name: [base.__name__ for base in cls.__mro__[1:-2]] for name, cls in CLASSES.items()}
    assert bases == measured("bases")


def test_classes_have_the_measured_public_members_and_no_others():
    wanted = {name: public(members) for name, members in measured("members").items()}
    assert {name: public(dir(cls)) for name, cls in CLASSES.items()} == wanted


def test_classes_have_the_measured_special_methods():
    gone = {
        name: set(members) - public(members) - set(dir(CLASSES[name])) for name, members in measured("members").items()
    }
    assert {name: members for name, members in gone.items() if members} == {}


def test_properties_can_be_assigned_as_measured():
    wanted = {
        (name, member): kind == "writable property"
        for name, members in measured("members").items()
        for member, kind in members.items()
        if kind.endswith("property")
    }
    assert wanted
    assert {place: attribute_of(*place).fset is not None for place in wanted} == wanted


def attribute_of(name, member):
    return next(vars(cls)[member] for cls in CLASSES[name].__mro__ if member in vars(cls))


def test_only_the_names_of_tensorrt_are_shown():
    assert {name for name in dir(trt) if not name.startswith("_")} <= {*trt.__all__}
    assert "native" not in dir(trt)
