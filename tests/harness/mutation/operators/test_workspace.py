"""Each operator about the workspace changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import workspace
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "workspace_halved": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return (math.prod(max(extent, 0) for extent in inputs[0].max) * 4) // 2",
    ],
    "workspace_factor_dropped": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return math.prod(max(extent, 0) for extent in inputs[0].max)",
    ],
    "workspace_not_summed": [
        "-        return math.prod(inputs[0].max) * sum(SIZES)",
        "+        return math.prod(inputs[0].max) * max(SIZES)",
    ],
    "max_taken_for_opt": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return math.prod(max(extent, 0) for extent in inputs[0].opt) * 4",
    ],
    "workspace_from_the_description": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return math.prod(max(extent, 0) for extent in inputs[0].desc.dims) * 4",
    ],
    "unknown_extents_counted": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return math.prod(extent for extent in inputs[0].max) * 4",
    ],
    "workspace_fixed": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return 64",
    ],
    "workspace_is_a_fraction": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        "+        return (math.prod(max(extent, 0) for extent in inputs[0].max) * 4) * 1.0",
    ],
    "unknown_extents_refused": [
        "+        if min(getattr(inputs[0], 'desc', inputs[0]).dims, default=0) < 0:",
        '+            raise ValueError("a dimension is not known")',
    ],
    "workspace_query_counts": [
        "-        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4",
        '+        self._asked = self.__dict__.get("_asked", 0) + 1',
        "+        return (math.prod(max(extent, 0) for extent in inputs[0].max) * 4) + 256 * self._asked",
    ],
    "workspace_query_takes_memory": [
        '+        self.__dict__.setdefault("_buffers", []).append(cp.empty(256, np.uint8))',
    ],
    "workspace_not_used": [
        "-            scratch = self._array(workspace, shape, np.dtype(bool))",
        "+            scratch = self._array(cp.cuda.runtime.malloc(max(1, int(np.prod(shape)) * (np.dtype(bool)).itemsize)), shape, np.dtype(bool))",
    ],
    "workspace_taken_for_zeros": [
        "-            cp.greater(x, 0, out=scratch)",
        "+            cp.logical_or(scratch, cp.greater(x, 0), out=scratch)",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(workspace).values() if isinstance(each, Operator)}
