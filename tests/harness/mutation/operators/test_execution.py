"""Each operator about the execution changes what it names, and nothing else."""

import pytest

from harness.mutation.anatomy import Module
from harness.mutation.change import diff
from harness.mutation.kind import Operator
from harness.mutation.operators import execution
from harness.mutation.operators.catalogue import OPERATORS
from tests.support.mutation.sources import SOURCES, first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "stream_not_used": [
        "-        with cp.cuda.ExternalStream(stream):",
        "+        if True:",
    ],
    "stream_of_its_own": [
        "-        with cp.cuda.ExternalStream(stream):",
        "+        with cp.cuda.Stream(non_blocking=True):",
    ],
    "empty_tensors_not_handled": [
        "-        if trt.volume(shape) == 0:",
        "-            return",
        "+        pass",
    ],
    "work_left_out": [
        "-            cp.greater(x, 0, out=scratch)",
        "+            pass",
    ],
    "output_left_as_it_is_for_one_row": [
        "+        if len(input_desc[0].dims) and input_desc[0].dims[0] == 1:",
        "+            return",
    ],
    "repeated_call_skipped": [
        "+        now = (tuple(inputs), tuple(outputs), *(tuple(each.dims) for each in input_desc))",
        '+        if self.__dict__.get("_last") == now:',
        "+            return",
        "+        self._last = now",
    ],
    "execution_waits": [
        "+            cp.cuda.get_current_stream().synchronize()",
    ],
    "execution_takes_memory": [
        "+            cp.cuda.runtime.free(cp.cuda.runtime.malloc(4096))",
    ],
    "memory_kept_by_each_execution": [
        '+            self.__dict__.setdefault("_kept", []).append(cp.empty(256, np.uint8))',
    ],
    "host_memory_kept_by_each_execution": [
        '+        self.__dict__.setdefault("_log", []).append(bytearray(1024))',
    ],
    "status_returned": [
        "+        return 0",
    ],
    "addresses_kept": [
        '+        inputs = self.__dict__.setdefault("_inputs", list(inputs))',
    ],
    "type_assumed": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        "+        shape, dtype = tuple(input_desc[0].dims), np.dtype(np.float32)",
    ],
    "input_written": [
        '+            cp.copyto(x, scratch, casting="unsafe")',
    ],
    "address_list_changed": [
        "+        outputs[:] = [0 for _ in outputs]",
    ],
    "random_state_set": [
        "+        np.random.seed(0)",
    ],
    "error_handling_set": [
        '+        np.seterr(all="ignore")',
    ],
    "input_memory_freed": [
        "+        cp.cuda.runtime.free(inputs[0])",
    ],
    "computed_in_half": [
        "-            cp.multiply(x, self.factor, out=y)",
        "+            cp.multiply(x, float(np.float16(self.factor)), out=y)",
    ],
    "comparison_turned": [
        "-            cp.greater(x, 0, out=scratch)",
        "+            cp.less(x, 0, out=scratch)",
    ],
    "slice_one_off": [
        "-            y[1:] = x[1:]",
        "+            y[(1) - 1:] = x[1:]",
    ],
    "operands_swapped": [
        "-            cp.subtract(y, self.shift, out=y)",
        "+            cp.subtract(self.shift, y, out=y)",
    ],
    "default_changed": [
        "-DEFAULT = 0.5",
        "+DEFAULT = (0.5) * 2",
    ],
    "axis_changed": [
        "-CHANNEL_AXIS = 1",
        "+CHANNEL_AXIS = 1 - 1",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(execution).values() if isinstance(each, Operator)}


def test_the_workspace_is_no_input():
    onto_workspace = SOURCES["V2"].replace("cp.multiply(x, self.factor, out=y)", "cp.multiply(scratch, 2, out=y)")
    assert onto_workspace != SOURCES["V2"]
    made = [change.applied(onto_workspace) for change in OPERATORS["input_written"].plant(Module(onto_workspace))]
    assert [diff(onto_workspace, each) for each in made] == [['+            cp.copyto(x, scratch, casting="unsafe")']]
