"""Dimensions of tensors for many values of the dynamic dimensions."""

import pytest

import reference_runtime as trt
from harness.child.onnx_models.points import points_of, variables_of
from harness.config.onnx_dims import Range
from reference_runtime.network.graph.graph import graph_of
from tests.support.runtime.recording import Log


@pytest.fixture
def network():
    made = trt.Builder(Log()).create_network()
    first = made.add_input("a", trt.float32, (-1, 3, -1))
    first.set_dimension_name(0, "batch")
    second = made.add_input("b", trt.float32, (-1, 3, 4))
    second.set_dimension_name(0, "batch")
    added = made.add_elementwise(first, second, trt.ElementWiseOperation.SUM)
    made.mark_output(added.get_output(0))
    return made


def test_a_dimension_has_the_models_name_or_one_of_its_place(network):
    assert list(variables_of(graph_of(network)).values()) == ["batch", "a.2", "batch"]


def test_points_are_least_best_greatest_and_all_mixtures(network):
    graph = graph_of(network)
    points, problems = points_of(graph, {"batch": Range(1, 2, 2), "a.2": Range(4, 4, 4)})
    assert problems == []
    assert [point.extents["batch"] for point in points] == [1, 2, 2, 1, 2]
    assert points[1].facts[graph.outputs[0]].dims == (2, 3, 4)


def test_what_does_not_go_is_left_out_and_told_of_the_first_three(network):
    points, problems = points_of(graph_of(network), {"batch": Range(1, 1, 1), "a.2": Range(2, 3, 4)})
    assert {point.extents["a.2"] for point in points} == {4}
    assert problems[0].startswith("with batch=1, a.2=2: ")
    assert len(problems) == 2


def test_many_dimensions_are_changed_one_after_the_other():
    made = trt.Builder(Log()).create_network()
    tensor = made.add_input("a", trt.float32, (-1,) * 5)
    made.mark_output(made.add_identity(tensor).get_output(0))
    points, _ = points_of(graph_of(made), {f"a.{axis}": Range(1, 2, 8) for axis in range(5)})
    assert len(points) == 3 + 5 * 8
