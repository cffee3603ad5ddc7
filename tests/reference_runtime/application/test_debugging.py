import reference_runtime as trt
from reference_runtime.application.debugging import Shown, process_debug_tensor
from reference_runtime.calling.gate.gate import Gate

TENSOR = Shown(4096, trt.TensorLocation.DEVICE, trt.float32, (2, 3), "x")


def test_a_listener_is_shown_a_tensor_and_its_answer_is_not_read():
    class Mine(trt.IDebugListener):
        def process_debug_tensor(self, addr, location, type, shape, name, stream):  # noqa: A002 - TensorRT's name
            self.seen = (addr, location, type, tuple(shape), name, stream)
            return False

    mine = Mine()
    assert process_debug_tensor(Gate(), mine, TENSOR, 5) is True
    assert mine.seen == (4096, trt.TensorLocation.DEVICE, trt.float32, (2, 3), "x", 5)


def test_a_listener_that_raises_is_no_failure_of_the_execution(capfd):
    class Raising(trt.IDebugListener):
        def process_debug_tensor(self, *_):
            raise ValueError("boom")

    gate = Gate()
    assert process_debug_tensor(gate, Raising(), TENSOR, 0) is True
    assert "[ERROR] Exception caught in processDebugTensor(): ValueError: boom" in capfd.readouterr().err
    assert gate.failures[0].method == "process_debug_tensor"


def test_a_listener_without_override_fails(capfd):
    assert process_debug_tensor(Gate(), trt.IDebugListener(), TENSOR, 0) is False
    assert capfd.readouterr().err.startswith("Method: process_debug_tensor was not overriden.")


def test_the_bound_method_does_nothing():
    listener = trt.IDebugListener()
    assert listener.process_debug_tensor(None, trt.TensorLocation.HOST, trt.float32, (1,), None, 0) is None
