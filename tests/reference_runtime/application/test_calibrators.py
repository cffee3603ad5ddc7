import pytest

import reference_runtime as trt
from reference_runtime.application import calibrators
from reference_runtime.bound import overloads
from reference_runtime.calling.gate.gate import Gate

KIND = trt.CalibrationAlgoType
KINDS = {
    trt.IInt8LegacyCalibrator: KIND.LEGACY_CALIBRATION,
    trt.IInt8EntropyCalibrator: KIND.ENTROPY_CALIBRATION,
    trt.IInt8EntropyCalibrator2: KIND.ENTROPY_CALIBRATION_2,
    trt.IInt8MinMaxCalibrator: KIND.MINMAX_CALIBRATION,
}


class Mine(trt.IInt8EntropyCalibrator2):
    def __init__(self, batches=()):
        super().__init__()
        self.batches, self.cache, self.asked = list(batches), None, []

    def get_batch_size(self):
        return 4

    def get_batch(self, names):
        self.asked.append(names)
        return self.batches.pop(0) if self.batches else None

    def read_calibration_cache(self):
        return self.cache

    def write_calibration_cache(self, cache):
        self.cache = bytes(cache)


def test_a_calibrator_is_asked_for_batches_until_there_are_none():
    mine, gate = Mine([[64, 128]]), Gate()
    assert calibrators.batch_size(gate, mine) == 4
    assert calibrators.next_batch(gate, mine, ["a", "b"]) == [64, 128]
    assert calibrators.next_batch(gate, mine, ["a", "b"]) is None
    assert mine.asked == [["a", "b"], ["a", "b"]]


def test_an_empty_batch_is_the_end():
    assert calibrators.next_batch(Gate(), Mine([[]]), ["a"]) is None


def test_a_cache_is_handed_over_and_read_again():
    mine, gate = Mine(), Gate()
    assert calibrators.read_cache(gate, mine) is None
    calibrators.write_cache(gate, mine, b"cache")
    assert calibrators.read_cache(gate, mine) == b"cache"


def test_a_cache_keeps_the_scale_of_each_tensor():
    data = calibrators.write_scales(KIND.ENTROPY_CALIBRATION_2, {"x": 0.5, "a: b": 0.25})
    assert data == b"TRT-101601-EntropyCalibration2\nx: 3f000000\na: b: 3e800000\n"
    assert calibrators.read_scales(data) == {"x": 0.5, "a: b": 0.25}


@pytest.mark.parametrize(
    "data", [b"", b"x: 3f000000\n", b"TRT-1-A\nx\n", b"TRT-1-A\nx: 3f\n", b"TRT-1-A\nx: 7f800000\n"]
)
def test_what_is_no_cache_is_ignored(data):
    assert calibrators.read_scales(data) is None


@pytest.mark.parametrize("cls", KINDS)
def test_each_kind_has_its_algorithm_and_calls_no_override(cls):
    derived = type("Derived", (cls,), {"get_algorithm": lambda _self: KIND.LEGACY_CALIBRATION})
    assert cls().get_algorithm() == KINDS[cls]
    assert calibrators.algorithm(Gate(), derived()) == KINDS[cls]


def test_the_base_asks_its_override_for_the_algorithm(capfd):
    derived = type("Derived", (trt.IInt8Calibrator,), {"get_algorithm": lambda _self: KIND.MINMAX_CALIBRATION})
    assert calibrators.algorithm(Gate(), derived()) == KIND.MINMAX_CALIBRATION
    assert trt.IInt8Calibrator().get_algorithm() == KIND.LEGACY_CALIBRATION
    assert 'pure virtual function "IInt8Calibrator::get_algorithm"' in capfd.readouterr().err


@pytest.mark.parametrize("cls", [trt.IInt8Calibrator, *KINDS])
def test_the_methods_to_be_overridden_do_nothing_themselves(cls, capfd):
    calibrator = cls()
    assert calibrator.get_batch(["x"]) == []
    assert calibrator.write_calibration_cache(b"x") is None
    with pytest.raises(TypeError, match="Unable to convert function return value to a Python type!"):
        calibrator.read_calibration_cache()
    assert calibrator.get_batch_size() == -1
    assert 'pure virtual function "IInt8Calibrator::get_batch_size"' in capfd.readouterr().err


@pytest.mark.parametrize(("since", "buffer"), [("3.10", "typing_extensions"), ("3.12", "collections.abc")])
def test_messages_name_a_buffer_as_the_running_python_does(monkeypatch, since, buffer):
    in_the_library = {"typing_extensions.Buffer": "collections.abc.Buffer"} if since == "3.12" else {}
    monkeypatch.setattr(overloads, "_IN_THE_LIBRARY", in_the_library)
    calibrator = trt.IInt8LegacyCalibrator()
    with pytest.raises(TypeError) as unmade:
        calibrator.read_calibration_cache()
    assert str(unmade.value).endswith(f"\n\t(self: tensorrt.tensorrt.IInt8LegacyCalibrator) -> {buffer}.Buffer")
    with pytest.raises(TypeError, match=rf"1\. \(self: tensorrt\.tensorrt\.\w+, cache: {buffer}\.Buffer\) -> None"):
        calibrator.write_calibration_cache("text")


def test_a_calibrator_that_raises_ends_the_batches(capfd):
    class Raising(Mine):
        def get_batch(self, _names):
            raise ValueError("boom")

        def read_calibration_cache(self):
            return "text"

    gate = Gate()
    assert calibrators.next_batch(gate, Raising(), ["x"]) is None
    assert calibrators.read_cache(gate, Raising()) is None
    said = capfd.readouterr().err
    assert "Exception caught in get_batch(): ValueError: boom" in said
    assert "Exception caught in read_calibration_cache(): Object of type 'str' is not an instance of 'buffer'" in said
    assert [failure.method for failure in gate.failures] == ["get_batch", "read_calibration_cache"]
