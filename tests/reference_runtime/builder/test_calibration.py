"""A calibrator gives ranges to the tensors of a build, so that INT8 can be offered for them."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.devices import host
from tests.support.runtime.recording import Recorder, shop

pytestmark = pytest.mark.filterwarnings("ignore:Use Deprecated in TensorRT 10.1")
HEAD = b"TRT-101601-EntropyCalibration2\n"


class Calibrator(trt.IInt8EntropyCalibrator2):
    def __init__(self, *batches, cache=None):
        super().__init__()
        self.batches, self.cache, self.asked = list(batches), cache, []

    def get_batch_size(self):
        return 2

    def get_batch(self, names):
        self.asked.append(names)
        return self.batches.pop(0) if self.batches else None

    def read_calibration_cache(self):
        return self.cache

    def write_calibration_cache(self, cache):
        self.cache = bytes(cache)


@pytest.fixture
def made():
    with shop() as made:
        made.profile()
        made.config.set_flag(trt.BuilderFlag.INT8)
        yield made


def batch(*values):
    """Put a batch of the best dimensions on the device, as large as its greatest value."""
    data = np.zeros(2 * 3 * 4, np.float32)
    data[: len(values)] = values
    buffer = host.current_device().allocate(data.nbytes)
    buffer.write(data)
    return buffer


def types_offered(made):
    return {desc[1] for _, _, arguments in made.tape.of("supports_format_combination") for desc in arguments[1][:1]}


def test_a_cache_gives_the_ranges(made):
    made.config.int8_calibrator = mine = Calibrator(cache=HEAD + b"x0: 3f000000\ny0: 3f000000\n")
    network = made.network()
    assert made.builder.build_serialized_network(network, made.config)
    assert trt.DataType.INT8 in types_offered(made)
    assert {desc[3] for _, _, (_, in_out, _) in made.tape.of("supports_format_combination") for desc in in_out} >= {0.5}
    assert network.get_input(0).dynamic_range is None
    assert mine.asked == []


def test_without_a_cache_batches_are_read_and_the_result_is_handed_over(made):
    first, second = batch(-254.0), batch(127.0)
    made.config.int8_calibrator = mine = Calibrator([first.address], [second.address])
    assert made.builder.build_serialized_network(made.network(), made.config)
    assert mine.asked == [["x0"]] * 3
    assert mine.cache == HEAD + b"x0: 40000000\ny0: 40800000\n"


@pytest.mark.parametrize("batches", [[[1, 2]], [[]]])
def test_a_batch_has_an_address_for_each_input(made, batches):
    made.config.int8_calibrator = Calibrator(*batches)
    data = made.builder.build_serialized_network(made.network(), made.config)
    assert (data is None) is bool(batches[0])
    assert ("the calibrator gave 2 addresses for the inputs ['x0']" in str(made.log.errors)) is bool(batches[0])


def test_a_calibration_profile_gives_the_extents_of_a_batch(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape("x0", (1, 3, 1), (1, 3, 1), (1, 3, 1))
    made.config.set_calibration_profile(profile)
    made.config.int8_calibrator = mine = Calibrator([batch(1.0, 2.0, 127.0, 254.0).address])
    assert made.builder.build_serialized_network(made.network(), made.config)
    assert mine.cache == HEAD + b"x0: 3f800000\ny0: 40000000\n"


def test_nothing_is_calibrated_without_int8(made):
    made.config.clear_flag(trt.BuilderFlag.INT8)
    made.config.int8_calibrator = mine = Calibrator()
    assert made.builder.build_serialized_network(made.network(), made.config)
    assert (mine.asked, mine.cache) == ([], None)


def test_the_network_is_not_run_where_every_range_is_set(made):
    made.config.int8_calibrator = mine = Calibrator([batch(-254.0).address])
    network = made.network()
    network.get_output(0).dynamic_range = (-1.0, 1.0)
    assert made.builder.build_serialized_network(network, made.config)
    assert mine.cache == HEAD + b"x0: 40000000\n"


def test_tensors_between_layers_get_ranges_and_stay_between_them(made):
    made.config.int8_calibrator = mine = Calibrator([batch(127.0).address])
    network = made.network(chain=2)
    assert made.builder.build_serialized_network(network, made.config)
    scales = sorted(line.rpartition(b": ")[2] for line in mine.cache.splitlines()[1:])
    assert scales == [b"3f800000", b"40000000", b"40800000"]  # 1, 2, 4
    assert network.num_outputs == 1


class Int8Only(Recorder):
    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].type == trt.DataType.INT8 and super().supports_format_combination(pos, in_out, num_inputs)


def test_a_calibration_needs_a_plugin_that_takes_float(made):
    made.config.int8_calibrator = Calibrator([batch(1.0).address])
    assert made.builder.build_serialized_network(made.network(kind=Int8Only), made.config) is None
    assert "calibration runs the network in FP32, which cannot be built; offer FLOAT" in str(made.log.errors)


def test_a_plugin_without_float_does_where_every_range_is_set(made):
    network = made.network(kind=Int8Only)
    for tensor in (network.get_input(0), network.get_output(0)):
        tensor.dynamic_range = (-1.0, 1.0)
    made.config.int8_calibrator = Calibrator([batch(1.0).address])
    assert made.builder.build_serialized_network(network, made.config)
