"""Each operator about the configuration changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import configuration
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "unknown_extents_not_configured": [
        "+        if min(inputs[0].desc.dims, default=0) < 0:",
        '+            raise ValueError("a dimension is not known")',
    ],
    "accepted_type_not_configured": [
        '+        if getattr(inputs[0], "desc", inputs[0]).type == trt.DataType.HALF:',
        '+            raise ValueError("FLOAT only")',
    ],
    "same_shapes_refused": [
        "+        now = [tuple(each.dims) for each in inputs]",
        '+        if self.__dict__.get("_shapes") == now:',
        '+            raise ValueError("nothing has changed")',
        "+        self._shapes = now",
    ],
    "shape_change_takes_memory": [
        "+        cp.cuda.runtime.free(cp.cuda.runtime.malloc(1024))",
    ],
    "shape_changes_kept": [
        '+        self.__dict__.setdefault("_tables", []).append(cp.empty(1024, np.uint8))',
    ],
    "configuration_changes_descriptors": [
        "+        getattr(outputs[0], 'desc', outputs[0]).type = trt.DataType.INT8",
    ],
    "configuration_adds_an_output": [
        "+        self.num_outputs += 1",
    ],
    "configuration_lost": [
        "-        self.rank = len(inputs[0].desc.dims)",
        "+        pass",
    ],
    "impossible_shapes_accepted": [
        "-        if inputs[0].dims[0] > 100:",
        '-            raise ValueError("too many rows")',
        "+        pass",
    ],
    "configuration_needed": [
        "+        self._ready = True",
        "-        return attached",
        "+        made = attached",
        '+        made._ready = self.__dict__.get("_ready", False)',
        "+        return made",
        '+        if not self.__dict__.get("_ready"):',
        '+            raise RuntimeError("not configured")',
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(configuration).values() if isinstance(each, Operator)}
