"""What FUZ-003 sees of an output: each element that is left unwritten, and each that is one too many."""

import ctypes
import dataclasses

import numpy as np
import pytest

from conformance.rules.fuzzing import shapes
from harness.cases.case import Case, Input
from reference_runtime.devices.host import HostDevice, use
from tests.support.workbench import Creator, Doubler, subject_of

#: The volume is odd: no room is left behind the last element by any alignment.
SHAPE = (3, 7)
BYTES = 3 * 7 * 4
ROWS = Input(dims=("N", 7), min=(1, 7), max=(4, 7), values=(1.0, 2.0))
CASES = {
    "reference": Case("P", inputs=(ROWS,), reference=lambda x, *, fields: x * 2),  # noqa: ARG005 - what references get
    "no reference": Case("P", inputs=(ROWS,)),
}


def violations(case, first, end):
    """Return what FUZ-003 says of a plugin that writes the bytes from ``first`` to ``end`` of its output."""

    class Writer(Doubler):
        def enqueue(self, _input_desc, _output_desc, inputs, outputs, *_):
            x = np.frombuffer((ctypes.c_char * BYTES).from_address(inputs[0]), np.float32)
            whole = np.pad(x * 2, 2).tobytes()  # zeros around it
            ctypes.memmove(outputs[0] + first, whole[8 + first : 8 + end], end - first)

    subject = dataclasses.replace(subject_of(Creator(lambda _: Writer()), case), device=HostDevice(addresses="host"))
    with use(subject.device):
        found = list(shapes.results_are_right_at_every_shape.judge(subject, {"shapes": [list(SHAPE)]}))
    return [finding.violation.what for finding in found if finding.violation is not None]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize(
    ("first", "end", "seen"),
    [
        (0, BYTES, []),
        (0, BYTES - 4, ["enqueue computed wrong outputs at this shape"]),
        (4, BYTES, ["enqueue computed wrong outputs at this shape"]),
        (0, BYTES + 4, ["enqueue accessed memory that does not belong to its tensors"]),
        (0, BYTES + 1, ["enqueue accessed memory that does not belong to its tensors"]),
        (-4, BYTES, ["enqueue accessed memory that does not belong to its tensors"]),
    ],
)
def test_no_element_less_is_written_and_none_more(case, first, end, seen):
    assert violations(case, first, end) == seen
