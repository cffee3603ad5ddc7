"""Members that went."""

from harness.applications.old_names import is_of_bindings


def test_members_by_binding_are_of_8_6():
    assert is_of_bindings("IExecutionContext", "set_binding_shape")
    assert is_of_bindings("ICudaEngine", "num_bindings")
    assert not is_of_bindings("IExecutionContext", "set_input_shape")
    assert not is_of_bindings("IExecutionContext", "set_bidning_shape")
    assert not is_of_bindings("NoneType", "set_binding_shape")
    assert not is_of_bindings("IExecutionContext", "")
