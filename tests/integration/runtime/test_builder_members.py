"""The members of Builder beside the build itself."""

import pytest

import reference_runtime as trt
from tests.support.runtime.recording import shop


@pytest.fixture
def made():
    with shop() as made:
        yield made


def test_the_platform_is_the_host_device(made):
    builder = made.builder
    assert (builder.platform_has_tf32, builder.platform_has_fast_fp16, builder.platform_has_fast_int8) == (True,) * 3
    assert (builder.num_DLA_cores, builder.max_DLA_batch_size) == (0, 0)
    assert builder.logger is made.log
    assert isinstance(builder.get_plugin_registry(), trt.IPluginRegistry)


def test_the_number_of_threads_is_kept_and_checked(made):
    made.builder.max_threads = 4
    assert made.builder.max_threads == 4
    made.builder.max_threads = 0
    assert made.builder.max_threads == 4
    assert "IBuilder::setMaxThreads: Error Code 3: API Usage Error (a builder needs at least 1" in made.log.errors[0]


def test_an_allocator_can_be_set_and_not_read(made):
    made.builder.gpu_allocator = trt.IGpuAllocator()
    made.builder.gpu_allocator = None
    with pytest.raises(AttributeError):
        _ = made.builder.gpu_allocator
    with pytest.raises(TypeError, match="incompatible function arguments"):
        made.builder.gpu_allocator = 5


def test_reset_sets_everything_back(made):
    made.builder.error_recorder = trt.IErrorRecorder()
    made.builder.max_threads = 4
    made.builder.reset()
    assert (made.builder.error_recorder, made.builder.max_threads) == (None, 1)


def test_a_network_with_an_output_is_supported(made):
    assert made.builder.is_network_supported(made.network(), made.config) is True


def test_a_network_without_outputs_is_not(made):
    assert made.builder.is_network_supported(made.builder.create_network(), made.config) is False
    assert "IBuilder::isNetworkSupported: Error Code 4: Internal Error (Network must have" in made.log.errors[0]


def test_the_text_of_kernels_is_left_as_it_is(made):
    made.profile()
    text = object()
    network = made.network()
    with_text = made.builder.build_serialized_network(network, made.config, text)
    named = made.builder.build_serialized_network(network=network, config=made.config, kernel_text=text)
    assert bytes(with_text) == bytes(named) == bytes(made.builder.build_serialized_network(network, made.config))


def test_an_engine_is_built_without_serializing_it_first(made):
    made.profile()
    assert isinstance(made.builder.build_engine_with_config(made.network(), made.config), trt.ICudaEngine)
