"""Each operator about what is kept between calls changes what it names, and nothing else."""

import pytest

from harness.mutation.anatomy import Module
from harness.mutation.kind import Operator
from harness.mutation.operators import caches
from harness.mutation.operators.catalogue import OPERATORS
from tests.support.mutation.sources import SOURCES, first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "cached_by_volume": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = self.__dict__.setdefault("_shapes_52_23", {}).setdefault(trt.volume(input_desc[0].dims), tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "cached_by_first_extent": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = self.__dict__.setdefault("_shapes_52_23", {}).setdefault(tuple(input_desc[0].dims)[:1], tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "cached_by_last_extent": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = self.__dict__.setdefault("_shapes_52_23", {}).setdefault(tuple(input_desc[0].dims)[-1:], tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "cached_by_sorted_extents": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = self.__dict__.setdefault("_shapes_52_23", {}).setdefault(tuple(sorted(input_desc[0].dims)), tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "cached_by_rank": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = self.__dict__.setdefault("_shapes_52_23", {}).setdefault(len(input_desc[0].dims), tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "cached_for_all_objects": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = globals().setdefault("_shapes_52_23", {}).setdefault(trt.volume(input_desc[0].dims), tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "type_kept": [
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = tuple(input_desc[0].dims), np.dtype(self.__dict__.setdefault("_nptype_52_59", trt.nptype(input_desc[0].type)))',
    ],
    "first_descriptions_kept": [
        '+        input_desc = self.__dict__.setdefault("_input_desc", input_desc)',
        '+        output_desc = self.__dict__.setdefault("_output_desc", output_desc)',
    ],
    "descriptions_of_the_configuration_kept": [
        "+        self._described = inputs",
        '+        kept = self.__dict__.get("_described", input_desc)[0]',
        '+        if tuple(getattr(kept, "desc", kept).dims) != tuple(input_desc[0].dims):',
        "+            return",
    ],
    "extents_of_the_configuration_used": [
        "+        self._extents = tuple(getattr(inputs[0], 'max', inputs[0]))",
        "-        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))",
        '+        shape, dtype = self.__dict__.get("_extents", tuple(input_desc[0].dims)), np.dtype(trt.nptype(input_desc[0].type))',
    ],
    "configured_once": [
        '+        if self.__dict__.get("_configured"):',
        "+            return",
        "+        self._configured = True",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(caches).values() if isinstance(each, Operator)}


@pytest.mark.parametrize("name", ["extents_of_the_configuration_used", "descriptions_of_the_configuration_kept"])
def test_nothing_is_kept_from_the_configuration_where_an_engine_runs_another_object(name):
    """What an IPluginV3 keeps in configure_plugin is not in the object that attach_to_context returns."""
    version_3 = SOURCES["V2"].replace("def initialize(self):", "def attach_to_context(self, context):")
    assert [*OPERATORS[name].plant(Module(SOURCES["V2"]))]
    assert not [*OPERATORS[name].plant(Module(version_3))]
