import pytest

import reference_runtime as trt
from reference_runtime.application import profilers
from reference_runtime.calling.gate.gate import Gate


class Recording(trt.IProfiler):
    def report_layer_time(self, layer_name, ms):
        self.seen = (layer_name, ms)


def test_a_profiler_is_told_the_time_of_a_layer_in_32_bits():
    mine = Recording()
    profilers.report(Gate(), mine, "layer", 0.1)
    assert mine.seen == ("layer", pytest.approx(0.1))
    assert mine.seen[1] != 0.1
    trt.IProfiler.report_layer_time(mine, "other", 0.5)
    assert mine.seen == ("other", 0.5)


@pytest.mark.parametrize(("ms", "printed"), [(0.123456789, "0.123457"), (1e10, "1e+10"), (2, "2")])
def test_the_default_profiler_prints(ms, printed, capfd):
    profilers.report(Gate(), trt.Profiler(), "layer", ms)
    trt.Profiler().report_layer_time(layer_name="layer", ms=ms)
    trt.IProfiler.report_layer_time(trt.Profiler(), "layer", ms)
    assert capfd.readouterr().out == f"layer: {printed}ms\n" * 3


def test_an_override_of_the_default_profiler_is_not_called(capfd):
    class Mine(trt.Profiler):
        def report_layer_time(self, _layer_name, _ms):
            raise AssertionError

    profilers.report(Gate(), Mine(), "layer", 1)
    assert capfd.readouterr().out == "layer: 1ms\n"


def test_what_a_profiler_raises_is_swallowed_and_recorded(capfd):
    class Raising(trt.IProfiler):
        def report_layer_time(self, _layer_name, _ms):
            raise ValueError("boom")

    gate = Gate()
    profilers.report(gate, Raising(), "layer", 1)
    assert capfd.readouterr().err.startswith("[ERROR] Exception caught in report_layer_time(): ValueError: boom")
    assert gate.failures[0].becomes == "the time of the layer is not reported"


def test_a_profiler_without_override_is_heard(capfd):
    profilers.report(Gate(), trt.IProfiler(), "layer", 1)
    assert 'pure virtual function "IProfiler::report_layer_time"' in capfd.readouterr().err
