"""Every member of IBuilderConfig: what is kept, what is refused, and what it does to a build."""

import pytest

import reference_runtime as trt
from reference_runtime.builder.config import settings_of
from reference_runtime.plan.timing_cache import Timings, new_timing_cache, timings_of
from tests.support.runtime.recording import shop

pytestmark = pytest.mark.filterwarnings("ignore:Use Deprecated in TensorRT 10")


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def layer(made):
    return made.network().get_layer(0)


KEPT = {
    "flags": (1 << int(trt.BuilderFlag.TF32), 5),
    "quantization_flags": (0, 1),
    "avg_timing_iterations": (1, 8),
    "builder_optimization_level": (3, 5),
    "max_aux_streams": (-1, 2),
    "max_num_tactics": (-1, 7),
    "l2_limit_for_tiling": (-1, 2**40),
    "DLA_core": (-1, -1),
    "engine_capability": (trt.EngineCapability.STANDARD, trt.EngineCapability.SAFETY),
    "profiling_verbosity": (trt.ProfilingVerbosity.LAYER_NAMES_ONLY, trt.ProfilingVerbosity.DETAILED),
    "hardware_compatibility_level": (
        trt.HardwareCompatibilityLevel.NONE,
        trt.HardwareCompatibilityLevel.AMPERE_PLUS,
    ),
    "runtime_platform": (trt.RuntimePlatform.SAME_AS_BUILD, trt.RuntimePlatform.WINDOWS_AMD64),
    "tiling_optimization_level": (trt.TilingOptimizationLevel.NONE, trt.TilingOptimizationLevel.FULL),
    "default_device_type": (trt.DeviceType.GPU, trt.DeviceType.DLA),
    "profile_stream": (0, 4096),
    "remote_auto_tuning_config": ("", "ssh://host"),
    "plugins_to_serialize": ([], ["a.so", "b.so"]),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_setting_is_kept_until_it_is_reset(made, name):
    default, value = KEPT[name]
    assert getattr(made.config, name) == default
    setattr(made.config, name, value)
    assert getattr(made.config, name) == value
    made.config.reset()
    assert getattr(made.config, name) == default
    assert made.log.errors == []


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "flags",
            1 << 31,
            "setFlags: Error Code 3: API Usage Error (flags has bits that no BuilderFlag has: 0x80000000)",
        ),
        ("quantization_flags", 4, "setQuantizationFlags"),
        (
            "avg_timing_iterations",
            0,
            "setAvgTimingIterations: Error Code 3: API Usage Error (avg_timing_iterations must",
        ),
        ("builder_optimization_level", -1, "setBuilderOptimizationLevel"),
        ("max_aux_streams", -2, "setMaxAuxStreams"),
        ("max_num_tactics", -2, "setMaxNbTactics"),
        ("l2_limit_for_tiling", -2, "setL2LimitForTiling"),
        ("DLA_core", 0, "setDLACore: Error Code 3: API Usage Error (DLA_core must be from -1 to -1, not 0)"),
    ],
)
def test_a_setting_out_of_its_bounds_is_an_error_and_changes_nothing(made, name, value, words):
    setattr(made.config, name, value)
    assert getattr(made.config, name) == KEPT[name][0]
    (error,) = made.log.errors
    assert error.startswith(f"IBuilderConfig::{words}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("flags", -1),
        ("profiling_verbosity", 1),
        ("plugins_to_serialize", [5]),
        ("profile_stream", -1),
        ("DLA_core", 0.5),
    ],
)
def test_a_setting_of_the_wrong_type_raises(made, name, value):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        setattr(made.config, name, value)


def test_the_list_of_plugins_is_a_copy(made):
    made.config.plugins_to_serialize = ["a.so"]
    made.config.plugins_to_serialize.append("b.so")
    assert made.config.plugins_to_serialize == ["a.so"]


def test_flags_of_quantization_are_set_and_cleared(made):
    flag = trt.QuantizationFlag.CALIBRATE_BEFORE_FUSION
    made.config.set_quantization_flag(flag)
    assert made.config.get_quantization_flag(flag)
    made.config.clear_quantization_flag(flag)
    assert not made.config.get_quantization_flag(flag)


def test_tactic_sources_are_the_documented_ones_until_they_are_set(made):
    default = 1 << int(trt.TacticSource.EDGE_MASK_CONVOLUTIONS) | 1 << int(trt.TacticSource.JIT_CONVOLUTIONS)
    assert made.config.get_tactic_sources() == default
    assert made.config.set_tactic_sources(1) is True
    assert made.config.get_tactic_sources() == 1
    assert made.config.set_tactic_sources(1 << 20) is False
    assert made.config.get_tactic_sources() == 1
    assert "tactic_sources has bits that no TacticSource has: 0x100000" in made.log.errors[0]


def test_preview_features_are_off_but_for_profile_sharing(made):
    features = list(trt.PreviewFeature.__members__.values())
    assert [made.config.get_preview_feature(feature) for feature in features] == [True, False, False, False]


def test_a_preview_feature_can_be_turned_on_and_off(made):
    feature = trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03
    made.config.set_preview_feature(feature, enable=True)
    assert made.config.get_preview_feature(feature)
    assert settings_of(made.config).has_preview(feature)
    made.config.set_preview_feature(feature, enable=False)
    assert not made.config.get_preview_feature(feature)


def test_profile_sharing_cannot_be_turned_off(made):
    feature = trt.PreviewFeature.PROFILE_SHARING_0806
    made.config.set_preview_feature(feature, enable=False)
    assert made.config.get_preview_feature(feature)
    assert made.log.lines[0][1] == "IBuilderConfig::setPreviewFeature: PROFILE_SHARING_0806 is always on"


POOLS = {
    "WORKSPACE": 16 << 30,
    "DLA_MANAGED_SRAM": 1 << 20,
    "DLA_LOCAL_DRAM": 1 << 30,
    "DLA_GLOBAL_DRAM": 1 << 29,
    "TACTIC_DRAM": 12 << 30,
    "TACTIC_SHARED_MEMORY": 48 << 10,
}


@pytest.mark.parametrize("name", POOLS)
def test_a_pool_has_its_documented_size_until_it_is_set(made, name):
    pool = getattr(trt.MemoryPoolType, name)
    assert made.config.get_memory_pool_limit(pool) == POOLS[name]
    made.config.set_memory_pool_limit(pool, 1 << 14)
    assert made.config.get_memory_pool_limit(pool) == 1 << 14


@pytest.mark.parametrize("size", [2048, 5000])
def test_a_pool_of_dla_has_a_size_that_is_a_power_of_2(made, size):
    made.config.set_memory_pool_limit(trt.MemoryPoolType.DLA_MANAGED_SRAM, size)
    assert made.config.get_memory_pool_limit(trt.MemoryPoolType.DLA_MANAGED_SRAM) == 1 << 20
    assert f"must be a power of 2 of at least 4096 bytes, not {size}" in made.log.errors[0]


def test_there_is_no_other_pool(made):
    made.config.set_memory_pool_limit(trt.MemoryPoolType(9), 1)
    assert made.config.get_memory_pool_limit(trt.MemoryPoolType(9)) == 0
    assert "there is no memory pool" in made.log.errors[0]


def test_layers_run_where_they_are_told_or_where_all_do(made, layer):
    config = made.config
    assert (config.get_device_type(layer), config.is_device_type_set(layer)) == (trt.DeviceType.GPU, False)
    config.set_device_type(layer, trt.DeviceType.DLA)
    assert (config.get_device_type(layer), config.is_device_type_set(layer)) == (trt.DeviceType.DLA, True)
    config.reset_device_type(layer)
    assert (config.get_device_type(layer), config.is_device_type_set(layer)) == (trt.DeviceType.GPU, False)
    config.default_device_type = trt.DeviceType.DLA
    assert config.get_device_type(layer) == trt.DeviceType.DLA
    assert config.can_run_on_DLA(layer) is False


def test_a_layer_that_must_run_on_dla_cannot_be_built_without_fallback(made):
    made.profile()
    network = made.network()
    made.config.set_device_type(network.get_layer(0), trt.DeviceType.DLA)
    assert made.builder.is_network_supported(network, made.config) is False
    assert made.builder.build_serialized_network(network, made.config) is None
    assert "must run on DLA, which it cannot, and BuilderFlag.GPU_FALLBACK is not set" in made.log.errors[0]
    made.config.set_flag(trt.BuilderFlag.GPU_FALLBACK)
    assert made.builder.build_serialized_network(network, made.config)


def test_an_engine_for_dla_alone_cannot_be_built(made):
    made.profile()
    made.config.engine_capability = trt.EngineCapability.DLA_STANDALONE
    assert made.builder.is_network_supported(made.network(), made.config) is False
    assert "this platform has none" in made.log.errors[0]


class Monitor(trt.IProgressMonitor):
    def __init__(self, *, goes_on=True):
        super().__init__()
        self.phases, self.goes_on = [], goes_on

    def phase_start(self, phase_name, parent_phase, num_steps):
        self.phases.append((phase_name, parent_phase, num_steps))

    def step_complete(self, _phase_name, _step):
        return self.goes_on

    def phase_finish(self, phase_name):
        self.phases.append(phase_name)


def test_a_progress_monitor_follows_the_build(made):
    made.profile()
    made.config.progress_monitor = monitor = Monitor()
    assert made.config.progress_monitor is monitor
    assert made.builder.build_serialized_network(made.network(chain=3), made.config)
    (outer, parent, _), inner, end, last = monitor.phases
    assert (parent, last, inner[1:]) == (None, outer, (outer, 3))
    assert end == inner[0]


def test_a_progress_monitor_can_cancel_the_build(made):
    made.profile()
    made.config.progress_monitor = Monitor(goes_on=False)
    assert made.builder.build_serialized_network(made.network(), made.config) is None
    assert "the progress monitor cancelled the build" in made.log.errors[0]
    made.config.progress_monitor = None
    assert made.builder.build_serialized_network(made.network(), made.config)


@pytest.mark.parametrize(
    ("name", "cls", "successor"),
    [
        ("int8_calibrator", trt.IInt8MinMaxCalibrator, "Superseded by explicit quantization"),
        ("algorithm_selector", trt.IAlgorithmSelector, "Please use editable mode in ITimingCache instead"),
    ],
)
def test_objects_of_the_application_are_kept_with_a_warning(made, name, cls, successor):
    mine = cls()
    with pytest.warns(DeprecationWarning, match=successor):
        setattr(made.config, name, mine)
    with pytest.warns(DeprecationWarning, match=successor):
        assert getattr(made.config, name) is mine
    setattr(made.config, name, None)
    assert getattr(made.config, name) is None


def test_a_calibration_profile_is_kept(made):
    profile = made.builder.create_optimization_profile()
    assert made.config.get_calibration_profile() is None
    assert made.config.set_calibration_profile(profile) is True
    assert made.config.get_calibration_profile() is profile
    profile.set_shape("x", (5,), (2,), (3,))
    assert made.config.set_calibration_profile(profile) is False


def test_profiles_are_counted(made):
    assert made.config.num_optimization_profiles == 0
    assert made.config.add_optimization_profile(made.builder.create_optimization_profile()) == 0
    assert made.config.num_optimization_profiles == 1


def test_a_timing_cache_is_made_of_bytes(made):
    assert made.config.get_timing_cache() is None
    cache = made.config.create_timing_cache(b"")
    assert made.config.set_timing_cache(cache, ignore_mismatch=False) is True
    assert made.config.get_timing_cache() is cache
    again = made.config.create_timing_cache(cache.serialize())
    assert again.queryKeys() == []


def test_damaged_bytes_make_no_timing_cache(made):
    assert made.config.create_timing_cache(b"damaged") is None
    assert "createTimingCache: Error Code 1: Serialization (the serialized timing cache" in made.log.errors[0]


def test_a_timing_cache_of_another_environment_is_used_on_request_only(made):
    foreign = new_timing_cache(Timings(environment="elsewhere"))
    assert made.config.set_timing_cache(foreign, ignore_mismatch=False) is False
    assert made.config.get_timing_cache() is None
    assert "the timing cache was made by 'elsewhere'" in made.log.errors[0]
    assert made.config.set_timing_cache(foreign, ignore_mismatch=True) is True


def test_the_builder_looks_for_timings_in_the_cache(made):
    cache = made.config.create_timing_cache(b"")
    assert settings_of(made.config).timings == Timings()
    made.config.set_timing_cache(cache, ignore_mismatch=False)
    assert settings_of(made.config).timings is timings_of(cache)


@pytest.mark.parametrize(
    ("name", "value"), [("builder_optimization_level", 0), ("flags", 1 << int(trt.BuilderFlag.DISABLE_TIMING_CACHE))]
)
def test_the_builder_may_not_be_allowed_to_use_the_cache(made, name, value):
    made.config.set_timing_cache(made.config.create_timing_cache(b""), ignore_mismatch=False)
    setattr(made.config, name, value)
    assert settings_of(made.config).timings is None
