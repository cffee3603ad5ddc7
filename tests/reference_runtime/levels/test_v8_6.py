"""Level 8.6: the binding-index names and profiles of the 8.x API, and none of what came later."""

import pytest

from tests.support.runtime.levels.snippets import Gave, run_snippets


@pytest.fixture(scope="module")
def gave():
    return Gave(run_snippets("8.6", "snippets_8_6.py"))


def test_the_version_and_the_names_are_those_of_8_6(gave):
    names = gave("names")
    assert names["version"] == "8.6.1"
    for later in ("IPluginV3", "IPluginCapability", "IPluginResource", "InterfaceInfo", "int64", "bfloat16"):
        assert later not in names["public"]
        assert later not in names["shown"]
    for there in ("IPluginV2DynamicExt", "IPluginV2Ext", "IPluginCreator", "DimsExprs", "fp8", "PreviewFeature"):
        assert there in names["public"]


def test_enumerations_end_where_they_ended(gave):
    kinds = gave("enumerations")
    assert len(kinds["PluginFieldType"]) == 9
    assert max(kinds["DataType"].items(), key=lambda item: item[1]) == ("FP8", 6)
    assert kinds["NetworkDefinitionCreationFlag"] == {"EXPLICIT_BATCH": 0, "EXPLICIT_PRECISION": 1}
    assert (kinds["BuilderFlag"]["TF32"], kinds["BuilderFlag"]["FP8"]) == (7, 17)
    assert kinds["PreviewFeature"]["PROFILE_SHARING_0806"] == 2


def test_members_that_came_later_are_not_there(gave):
    assert gave("members_that_came_later") == []
    missing = "AttributeError: type object 'tensorrt.tensorrt.DataType' has no attribute 'INT64'"
    assert gave.raised("a_missing_member") == missing
    assert "Could not implicitly convert NumPy data type: i64" in gave.raised("an_int64_array")


def test_plugins_and_callbacks_tell_the_version_8601(gave):
    assert gave("versions") == [8601, 8601, 8601]


def test_an_expression_that_is_no_constant_gives_the_32_bit_minimum(gave):
    seen = gave("an_expression")
    assert seen
    assert all(each == [False, -(2**31), 2] for each in seen)


def test_a_builder_keeps_the_batch_size_that_it_warns_of(gave):
    assert gave("a_builder") == [[1, 8, 8], False, False, 1]
    explicit = "Use network created with NetworkDefinitionCreationFlag::EXPLICIT_BATCH flag instead."
    assert set(gave.warned("a_builder")) == {explicit}


def test_the_workspace_size_is_the_limit_of_the_workspace_pool(gave):
    assert gave("a_configuration") == [4096, 4096, 3, True, 1 << 7, 1]
    assert "Use get_memory_pool_limit instead." in gave.warned("a_configuration")


def test_profile_sharing_is_off_until_it_is_set(gave):
    assert gave("profile_sharing_is_a_setting") == [False, True]


def test_bindings_are_numbered_once_for_each_profile(gave):
    found = gave("bindings")
    assert found["count"] == [4, 4]
    assert found["names"] == ["x", "y", "x [profile 1]", "y [profile 1]"]
    assert found["items"] == ["x", "y [profile 1]", 3]
    assert found["indices"] == [0, 1, 2, -1]
    assert gave.raised("an_item_beyond_the_bindings") == "IndexError: index < self.getNbBindings()"


def test_questions_by_binding_give_what_those_by_name_give(gave):
    found = gave("bindings")
    assert found["inputs"] == [True, False, True, False, False]
    assert found["shapes"] == [[-1, 2], [-1, 2]]
    assert found["types"] == ["DataType.FLOAT"] * 3
    assert found["places"] == ["TensorLocation.DEVICE"] * 2
    assert found["kinds"] == [False, True]
    assert found["layout"] == ["TensorFormat.LINEAR", True, -1, -1, -1]
    assert (found["batch"], found["memory"]) == ([1, False], True)
    assert found["profiles"] == [[[1, 2], [2, 2], [5, 2]]] * 2


def test_a_wrong_binding_is_told_and_gives_the_empty_answer(gave):
    told = gave("bindings")["told"]
    assert gave("bindings")["of another profile"] == [-1, -1, -1]
    for part in (
        "there is no binding 'z'; the tensors are x, y",
        "there is no binding 9; the engine has 4 bindings",
        "binding 2 belongs to profile 1, not to profile 0",
    ):
        assert any(part in line for line in told), part
    assert "does not correspond to an input shape tensor" in gave.raised("values_of_a_tensor_that_is_no_shape_input")


def test_questions_by_binding_warn_of_their_successors(gave):
    warned = gave.warned("bindings")
    for successor in ("num_io_tensors", "get_tensor_name", "get_tensor_shape", "get_tensor_profile_shape"):
        assert f"Use {successor} instead." in warned


def test_a_profile_belongs_to_one_context(gave):
    begun, refused, moved, taken, third, after, lines = gave("profiles_belong_to_one_context")
    assert (begun, refused, moved) == ([0, -1], False, 1)
    assert taken == ["Error in set optimization profile async."] * 2
    assert (third, after) == (True, 1)
    assert any("Profile 1 has been chosen by another IExecutionContext." in line for line in lines)
    assert any("the context is on no optimization profile; set one first" in line for line in lines)
    assert gave.raised("a_profile_that_is_taken") == "RuntimeError: Error in set optimization profile."


def test_contexts_without_memory_of_their_own_share_no_profile_either(gave):
    assert gave("contexts_without_memory") == [0, -1]
    assert not any("USER_MANAGED" in text for text in gave.warned("contexts_without_memory"))


def test_engines_without_dynamic_inputs_share_their_one_profile(gave):
    assert gave("static_engines_share_their_profile") == [0, 0]


def test_shapes_are_set_and_asked_by_binding(gave):
    early, by_name, set_, late, too_much, after, values = gave("shapes_by_binding")
    assert early == [-1, False]
    assert by_name == [True, False]  # what is set by name does not count for all_binding_shapes_specified
    assert set_ == [True, False, False, False]
    assert late == [[3, 2], [2, 1], True]
    assert too_much is False
    assert after == [False, True]
    assert values is True


def test_only_shape_inputs_take_values(gave):
    done, lines = gave("shape_inputs_of_an_engine_without_any")
    assert done is False
    assert "x is no shape input" in lines[-1]
    assert gave.raised("values_of_a_binding_without_values") == "RuntimeError: Error in get shape bindings."


@pytest.mark.parametrize(
    ("number", "method"), [*enumerate(("execute_v2", "execute_async_v2", "execute", "execute_async", "keywords"))]
)
def test_executions_take_the_addresses_of_all_bindings(gave, number, method):
    assert gave("executions_by_binding")[method] == [True, [2.0 * number] * 4]


def test_executions_by_binding_want_all_bindings_and_leave_addresses_alone(gave):
    found = gave("executions_by_binding")
    assert found["too few"] == [False, False]
    assert found["addresses after"] == [0, 0]


def test_an_output_allocator_has_bound_callbacks_and_none_that_is_asynchronous(gave):
    given, calls = gave("an_output_allocator")
    assert given == 4096
    assert calls == [["y", 0, 16, 256], ["y", 0, 8, 256], ["y", [2, 2]]]


def test_values_of_a_shape_input_are_copied_by_binding(gave):
    found = gave("values_by_binding")
    assert found["kinds"] == [True, False, [[1], [3], [6]]]
    assert (found["before"], found["set"]) == (False, [False, False, True])
    assert found["after"] == [True, [4], [4]]
    assert found["ran"] == [True, [0.0, 1.0, 2.0, 3.0]]
