import copy

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.interfaces.resources import end_resource_context, new_resource_context


class Loud(trt.IPluginResource):
    def clone(self):
        raise ValueError("Python must not get here")

    release = clone


def test_the_bound_methods_are_there_for_their_documentation(capfd):
    assert trt.IPluginResource.clone(Loud()) is None
    assert trt.IPluginResource.release(Loud()) is None
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("arguments", [(1,), (trt.IPluginResource(),)])
def test_a_resource_is_made_of_nothing(arguments):
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        trt.IPluginResource(*arguments)
    with pytest.raises(TypeError, match="cannot pickle"):
        copy.copy(trt.IPluginResource())


def test_python_makes_no_context():
    with pytest.raises(TypeError, match=r"^tensorrt\.tensorrt\.IPluginResourceContext: No constructor defined!$"):
        trt.IPluginResourceContext()


def test_a_context_shows_what_it_was_made_with():
    allocator, recorder = trt.IGpuAllocator(), trt.IErrorRecorder()
    context = new_resource_context(allocator, recorder)
    assert isinstance(context, trt.IPluginResourceContext)
    assert (context.gpu_allocator, context.error_recorder) == (allocator, recorder)
    for name in ("gpu_allocator", "error_recorder"):
        assert getattr(new_resource_context(), name) is None
        with pytest.raises(AttributeError):
            setattr(context, name, None)


def test_a_context_that_has_ended_is_where_the_original_crashes():
    context = new_resource_context()
    end_resource_context(context)
    end_resource_context(context)
    with pytest.raises(NativeCrash, match="after its execution context was destroyed"):
        _ = context.gpu_allocator
