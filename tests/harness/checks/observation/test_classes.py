"""What a user's class defines before TensorRT's does."""

import reference_runtime as trt
from harness.checks.observation.classes import of_tensorrt, own_definitions


class Mixin:
    tensorrt_version = 1


class Before(Mixin, trt.IPluginV2DynamicExt):
    pass


class Behind(trt.IPluginV2DynamicExt, Mixin):
    pass


def test_what_stands_before_tensorrts_class_counts_and_what_stands_behind_does_not():
    names = ("tensorrt_version", "clone")
    assert own_definitions(Before, names) == {"tensorrt_version": "Mixin"}
    assert own_definitions(Behind, names) == {}


def test_the_names_are_found_that_tensorrts_classes_have():
    names = ("tensorrt_version", "api_language")
    assert of_tensorrt(Before, names) == ["tensorrt_version"]
    assert of_tensorrt(trt.IPluginV3, names) == ["api_language"]
    assert of_tensorrt(Mixin, names) == []
