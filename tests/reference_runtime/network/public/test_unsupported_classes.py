import json
import pathlib

import pytest

import reference_runtime as trt
from reference_runtime.network.public import unsupported_classes

SURFACE = json.loads((pathlib.Path(__file__).parents[3] / "data" / "runtime" / "surface.json").read_text())


def is_bound_here(name, cls):
    return isinstance(cls, type) and cls.__module__ == "tensorrt.tensorrt" and name != "ILayer"


NAMES = {name: cls for name, cls in vars(unsupported_classes).items() if is_bound_here(name, cls)}


def test_nothing_is_named_only_that_has_its_members():
    without_own_members = {"IDistCollectiveLayer", "IParametricReLULayer", "IRaggedSoftMaxLayer"}
    assert set(NAMES) & set(SURFACE["classes"]) <= without_own_members


@pytest.mark.parametrize("name", NAMES)
def test_python_makes_none(name):
    with pytest.raises(TypeError, match=rf"^tensorrt\.tensorrt\.{name}: "):
        getattr(trt, name)()


@pytest.mark.parametrize(
    ("name", "bases"),
    [
        ("IConvolutionLayer", ["ILayer"]),
        ("ITripLimitLayer", ["ILoopBoundaryLayer", "ILayer"]),
        ("IIfConditionalInputLayer", ["IIfConditionalBoundaryLayer", "ILayer"]),
        ("IAttentionOutputLayer", ["IAttentionBoundaryLayer", "ILayer"]),
        ("ILoop", []),
    ],
)
def test_they_derive_from_each_other_as_measured(name, bases):
    assert [base.__name__ for base in getattr(trt, name).__mro__[1:-2]] == bases


@pytest.mark.parametrize("name", ["NodeIndices", "SubGraphCollection"])
def test_what_the_original_makes_is_refused_with_the_reason(name):
    with pytest.raises(
        TypeError, match="the reference runtime makes none, since its OnnxParser returns parts of a model"
    ):
        getattr(trt, name)(1, 2)
