"""Networks with an implicit batch at level 8.6, and the plugins that are made for them."""

import pytest

from tests.support.runtime.levels.snippets import Gave, run_snippets

SUM_OF_THREE = [[11, 13], [13, 15], [15, 17]]


@pytest.fixture(scope="module")
def gave():
    return Gave(run_snippets("8.6", "snippets_implicit_batch.py"))


def test_the_contexts_of_an_engine_share_an_ipluginv2(gave):
    seen = gave("the_life_of_a_shared_plugin")
    configured = ["configure", [[2], [2]], "FLOAT", "LINEAR", 4]
    timed = [configured, ["initialize"], ["workspace", 4], ["run", 4], ["terminate"], configured]
    assert seen["built"] == [["clone"], ["clone"], *timed, ["destroy"], ["initialize"], ["workspace", 4], ["destroy"]]
    assert seen["ran"] == [["run", 4], ["run", 1], ["terminate"], ["destroy"]]
    assert seen["gave"] == [[True, [[1, 2], [3, 4], [5, 6], [7, 8]]], [True, [[1, 2]]]]
    assert seen["failures"] == []


def test_the_application_sees_shapes_of_one_item(gave):
    assert gave("what_the_application_sees") == [True, 4, [[2], [2], [2]], [0, 0]]


def test_an_execution_has_to_name_a_batch_that_the_engine_takes(gave):
    refused, lines = gave("what_is_refused_of_an_implicit_engine")
    assert refused == [False] * 5
    assert "the batch has 5 items; the engine takes 1 to 4" in lines[0]
    assert all("use execute or execute_async, with a batch size" in line for line in lines[2:])


def test_a_plugin_with_dynamic_shapes_needs_an_explicit_batch(gave):
    layer, (line,) = gave("a_dynamic_plugin_in_an_implicit_network")
    assert layer is None
    assert "an IPluginV2DynamicExt needs a network with an explicit batch" in line


def test_layers_that_work_item_by_item_are_there_and_a_constant_is_one_item(gave):
    shapes, shared, reshaped, softmax, implicit, lines = gave("layers_of_an_implicit_network")
    assert shapes == [[2, 3]] * 3
    assert shared == [False, True, False]
    assert (reshaped, softmax, implicit) == ([3, 2], None, True)
    assert "is no input of a network with an implicit batch" in lines[0]
    assert "SoftMax layers are not in this runtime's networks" in lines[1]


def test_a_plugin_that_can_broadcast_reads_one_item(gave):
    told, outcome = gave("an_input_that_is_shared")
    assert outcome == [True, SUM_OF_THREE]
    names = ["FLOAT"] * 3
    assert ["configure", [[2], [2], [2]], names, [False, True], [False], 4] in told
    assert told[2:4] == [["is", [False, True]], ["can", 1]]


def test_each_context_has_a_clone_that_is_attached_and_detached(gave):
    told, _ = gave("an_input_that_is_shared")
    context = [["clone"], ["attach", None, None, None], ["run", 3], ["detach"], ["destroy"]]
    assert told[-7:] == [*context, ["terminate"], ["destroy"]]
    timed = [["workspace", 4], ["attach", None, None, None], ["run", 4], ["detach"], ["terminate"]]
    assert told[6:11] == timed


def test_an_item_is_copied_for_a_plugin_that_cannot_broadcast(gave):
    told, outcome = gave("an_input_that_is_copied")
    assert outcome == [True, SUM_OF_THREE, True, [[21, 23]]]
    assert ["configure", [[2], [2], [2]], ["FLOAT"] * 3, [False, False], [False], 4] in told
    assert ["is", [False, True]] in told  # what the network says, whatever is copied


def test_an_output_can_be_one_item_for_the_batch(gave):
    assert gave("an_output_that_is_shared") == [True, [True, [[11, 13]]]]


def test_descriptors_of_one_item_carry_the_scale_of_int8_alone(gave):
    told, outcome = gave("an_int8_input")
    assert ["configure", [[[3], "INT8", 0.1], [[3], "FLOAT", -1.0]]] in told
    assert ["asked", 0, [3], 1] in told
    assert outcome == [True, [[5, 10, 15], [20, 25, 30]]]


def test_a_status_that_is_not_zero_is_a_failure(gave):
    failed, what, (line,) = gave("a_status_that_is_not_zero")
    assert failed
    assert what == ["returned 3"]
    assert "the plugin's execute_async failed" in line


def test_formats_are_asked_about_again_when_an_engine_is_deserialized(gave):
    failed, (line,) = gave("a_plugin_that_no_longer_takes_the_format")
    assert failed
    assert "the plugin does not support the formats of the engine" in line


def test_with_an_explicit_batch_the_first_extent_is_the_batch(gave):
    dynamic, configured, outcome, (line,) = gave("a_static_network_with_an_explicit_batch")
    assert dynamic is None
    assert "needs inputs without wildcards, with one batch as first dimension, not [-1, 2]" in line
    assert configured == ["configure", [[2], [2]], "FLOAT", "LINEAR", 3]
    assert outcome == [True, [[1, 2], [3, 4], [5, 6]]]


def test_a_calibrator_gives_scales_to_inputs_and_outputs_by_running_in_fp32(gave):
    built, told, cache, lines = gave("a_calibration_of_batches")
    assert built
    configured = [each for each in told if len(each) == 3]
    assert configured[0] == ["FLOAT", -1.0, -1.0]  # as the calibration runs it
    assert ["INT8", 0.1, 0.2] in configured
    assert cache == ["x0: 3dcccccd", "y: 3e4ccccd"]
    assert lines == []
